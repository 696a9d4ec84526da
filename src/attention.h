// The library's front door: everything needed to train a model on sentence pairs of one's own, to
// keep it, and to translate with it. The README has a program that does all three.
#pragma once

#include "decoding/translate.h"
#include "model/transformer.h"
#include "text/corpus.h"
#include "training/run_directory.h"
#include "training/trainer.h"

// Before a reader's code. Warnings that help authors and hinder learners are off, and some others
// are no errors.
#pragma once

#include "support/exercise.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic warning "-Wunused-variable"
#pragma GCC diagnostic warning "-Wparentheses"
#pragma GCC diagnostic warning "-Wreturn-type"

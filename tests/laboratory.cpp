// The tests load models of every architecture and use every task.
#include "lab/laboratory.h"

static const bool opened = (attn::open_laboratory(), true);

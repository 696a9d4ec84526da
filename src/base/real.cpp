// See library_is_for in real.h: the name of this one function differs between the precisions.
#include "base/real.h"

void attn::library_is_for(Real) {}

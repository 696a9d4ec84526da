#include "base/real.h"

void attn::library_is_for(Real) {}

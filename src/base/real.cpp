#include "base/real.h"

namespace attn {

#ifdef ATTENTION_DOUBLE
const char library_for_double = 0;
#else
const char library_for_float = 0;
#endif

}  // namespace attn

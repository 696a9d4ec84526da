#include "lab/predecessors/recent.h"

#include <algorithm>
#include <utility>

namespace attn {

void Recent::push(const Tensor& x) {
  ATTN_CHECK(x.rows() == sequences() && x.cols() == rows.cols(), "new rows ", to_string(x.shape()),
             " do not fit recent ones ", to_string(rows.shape()));
  const Index width = x.cols();
  for (Index r = 0; r < sequences(); ++r) {
    Real* const first = rows.row(r * length());
    std::copy(first + width, first + length() * width, first);
    std::copy_n(x.row(r), width, first + (length() - 1) * width);
  }
  ++seen;
}

void Recent::reorder(const std::vector<Index>& sources) {
  const Index count = static_cast<Index>(sources.size()), size = length() * rows.cols();
  Tensor reordered = Tensor::uninitialised({count, length(), rows.cols()});
  for (Index r = 0; r < count; ++r) {
    const Index source = sources[static_cast<std::size_t>(r)];
    ATTN_CHECK(source >= 0 && source < sequences(), "no row ", source, " in the decoding state");
    std::copy_n(rows.data() + source * size, size, reordered.data() + r * size);
  }
  rows = std::move(reordered);
}

}  // namespace attn

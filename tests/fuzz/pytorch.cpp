// Files of PyTorch's weights, as `import` understands them: one tensor a line, "name:2,3", after
// the first line, which has the number of heads and then "pre" or "post".
#include <cstdlib>
#include <map>

#include "base/parallel.h"
#include "fuzz/fuzz.h"
#include "lab/peers/pytorch.h"
#include "text/lines.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool one_thread = (set_threads(1), true);
  (void)one_thread;
  const std::vector<std::string> lines = split(fuzz::view(data, size), '\n');
  const Index heads = std::atoll(lines[0].c_str());
  const bool pre = lines[0].find("pre") != std::string::npos;
  if (heads < 1 || heads > 1 << 20) return 0;  // import refuses that itself

  std::map<std::string, Tensor> tensors;
  Index stored = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].rfind(':');
    if (colon == std::string::npos) continue;
    Tensor& tensor = tensors[lines[i].substr(0, colon)];
    tensor = fuzz::tensor_of(lines[i].substr(colon + 1));
    stored += tensor.elements();
  }
  std::unique_ptr<Transformer> model;
  const auto norm = pre ? NormPlacement::pre : NormPlacement::post;
  if (!fuzz::accepts([&] { model = from_pytorch(tensors, heads, norm); })) return 0;
  fuzz::require(model->facts.weights <= stored, "no weight comes from nowhere");
  return 0;
}

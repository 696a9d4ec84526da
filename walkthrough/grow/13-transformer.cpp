// Step 13: the Transformer of "Attention Is All You Need".
//
// The model of step 12 is the paper's; its training is not yet. Here is §5: a learning rate that
// rises before it falls, and label smoothing and dropout against being too sure; and §6.1: in the
// end, the mean of the last weights.
//
//     c++ -O3 -std=c++17 13-transformer.cpp -o grow && ./grow reverse
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace grow {

// ---- Random numbers (splitmix64): the same on every machine ----
struct Random {
  std::uint64_t state = 0;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
  int below(int n) { return static_cast<int>(uniform() * n); }                // 0, 1, … n − 1
};

// ---- The tasks: read letters, then write them in the same order, backward, or in any order ----
using Name = std::string;
using Ids = std::vector<int>;              // a token is a number: a letter or a special token
constexpr int kBos = 1, kEos = 2, kA = 3;  // beginning, end, the letter a (0: unknown, never used)
constexpr int kVocabulary = kA + 26;       // V
constexpr const char* kLetters = "?^$abcdefghijklmnopqrstuvwxyz";

struct Pair {
  Ids source, target;  // each ends with <eos>
};

// A hash of the letters reserves one sequence in twenty for the test. Training never sees those.
bool is_held_out(const Ids& letters) {
  Random hash{0};
  for (const int letter : letters) hash.state = hash.next() + static_cast<std::uint64_t>(letter);
  return hash.next() % 20 == 0;
}

// 3 to 20 letters. The longer of two random lengths, since long sequences are harder to learn.
Pair draw_pair(const Name& task, bool held_out, Random& random) {
  Ids letters;
  do {
    letters.resize(static_cast<std::size_t>(3 + std::max(random.below(18), random.below(18))));
    for (int& letter : letters) letter = kA + random.below(26);
  } while (is_held_out(letters) != held_out);
  Pair pair{letters, letters};
  if (task == "reverse") std::reverse(pair.target.begin(), pair.target.end());
  if (task == "shuffle") {
    for (auto i = pair.target.begin(); i != pair.target.end(); ++i) {
      std::swap(*i, i[random.below(static_cast<int>(pair.target.end() - i))]);
    }
  }
  pair.source.push_back(kEos);
  pair.target.push_back(kEos);
  return pair;
}

bool is_right(const Name& task, Ids target, Ids written) {
  if (task == "shuffle" && !written.empty()) {  // any order will do, if <eos> comes last
    std::sort(target.begin(), target.end() - 1);
    std::sort(written.begin(), written.end() - 1);
  }
  return written == target;
}

// ---- Matrices ----
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> numbers;  // row after row

  explicit Matrix(int r = 0, int c = 0, double number = 0)
      : rows(r), cols(c), numbers(static_cast<std::size_t>(r * c), number) {}
  double* row(int i) { return numbers.data() + i * cols; }
  const double* row(int i) const { return numbers.data() + i * cols; }
};

// c += a b. Nearly all of the time is spent here. Backward needs it twice: da = dc bᵀ, db = aᵀ dc.
void add_product(const Matrix& a, const Matrix& b, Matrix& c) {
  for (int i = 0; i < a.rows; ++i) {
    for (int k = 0; k < a.cols; ++k) {
      const double factor = a.row(i)[k], *from = b.row(k);
      double* to = c.row(i);
      for (int j = 0; j < b.cols; ++j) to[j] += factor * from[j];
    }
  }
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.cols);
  add_product(a, b, c);
  return c;
}

Matrix transposed(const Matrix& a) {
  Matrix b(a.cols, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) b.row(j)[i] = a.row(i)[j];
  }
  return b;
}

Matrix operator+(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.numbers.size(); ++i) a.numbers[i] += b.numbers[i];
  return a;
}

Matrix elementwise(Matrix a, const Matrix& b) {  // ⊙
  for (std::size_t i = 0; i < a.numbers.size(); ++i) a.numbers[i] *= b.numbers[i];
  return a;
}

Matrix scaled(double factor, Matrix a) {
  for (double& number : a.numbers) number *= factor;
  return a;
}

// A row for each id: 1 in column id, 0 elsewhere.
Matrix one_hot(const Ids& ids, int n) {
  Matrix a(static_cast<int>(ids.size()), n);
  double* row = a.numbers.data();
  for (const int id : ids) row[id] = 1, row += n;
  return a;
}

// The columns of a in n equal parts, and side by side again.
std::vector<Matrix> split(const Matrix& a, int n) {
  std::vector<Matrix> parts;
  for (int p = 0; p < n; ++p) {
    Matrix& part = parts.emplace_back(a.rows, a.cols / n);
    for (int i = 0; i < a.rows; ++i) std::copy_n(a.row(i) + p * part.cols, part.cols, part.row(i));
  }
  return parts;
}

Matrix concat(const std::vector<Matrix>& parts) {
  Matrix a(parts[0].rows, parts[0].cols * static_cast<int>(parts.size()));
  for (int i = 0; i < a.rows; ++i) {
    double* end = a.row(i);
    for (const Matrix& part : parts) end = std::copy_n(part.row(i), part.cols, end);
  }
  return a;
}

// ---- The model: weights by name, and what each part keeps for its backward pass ----
struct Config {
  int vocabulary = kVocabulary;                                          // V
  int layers = 2, d_model = 32, d_ff = 64, heads = 4, d_k = 8, d_v = 8;  // N, …, h
  double dropout = 0;  // P_drop: none, since every batch is freshly drawn; --check sets one
  double label_smoothing = 0.1;
};

struct Parameter {
  Matrix value, gradient, m, v;  // w, dL/dw, and Adam's means of dL/dw and of its square
  Matrix mean;                   // of w, over the last steps
};

struct Model {
  Config config;
  Random random;  // for initial weights and dropout
  std::map<Name, Parameter> parameters;
  std::map<Name, Matrix> kept;  // by forward, for backward
  bool training = false;

  // The first use makes a parameter: 1 for a γ, 0 for other single rows, and for matrices random
  // numbers of a size such that x W is about as large as x (Glorot & Bengio 2010).
  Parameter& parameter(const Name& name, int rows, int cols) {
    Parameter& p = parameters[name];
    if (p.value.rows == 0) {
      const bool gamma = name.find(".gamma") != std::string::npos;
      p.value = p.gradient = p.m = p.v = p.mean = Matrix(rows, cols);
      for (double& w : p.value.numbers) {
        w = rows == 1 ? gamma : std::sqrt(6.0 / (rows + cols)) * (2 * random.uniform() - 1);
      }
    }
    return p;
  }
};

// ---- y = x W, and y + b ----
// x [T, in], W [in, out]
Matrix linear(Model& m, const Name& name, const Matrix& x, int out) {
  m.kept[name] = x;
  return product(x, m.parameter(name + ".weight", x.cols, out).value);
}

// From dy = dL/dy: dW = xᵀ dy, dx = dy Wᵀ. Backward adds to gradients of weights, and returns dx.
Matrix linear_backward(Model& m, const Name& name, const Matrix& dy) {
  Parameter& W = m.parameters.at(name + ".weight");
  add_product(transposed(m.kept.at(name)), dy, W.gradient);
  return product(dy, transposed(W.value));
}

// b [1, n] is a weight whose input is always 1, in every row.
Matrix with_bias(Model& m, const Name& name, Matrix y) {
  add_product(Matrix(y.rows, 1, 1.0), m.parameter(name, 1, y.cols).value, y);
  return y;
}

void bias_backward(Model& m, const Name& name, const Matrix& dy) {
  add_product(Matrix(1, dy.rows, 1.0), dy, m.parameters.at(name).gradient);
}

// ---- §3.2.1 Scaled dot-product attention ----
// e^(s_j)/Σ_l e^(s_l), row by row. The largest score cancels; without it nothing overflows.
Matrix softmax(Matrix s) {
  for (int i = 0; i < s.rows; ++i) {
    double *row = s.row(i), sum = 0;
    const double largest = *std::max_element(row, row + s.cols);
    for (int j = 0; j < s.cols; ++j) sum += row[j] = std::exp(row[j] - largest);
    for (int j = 0; j < s.cols; ++j) row[j] /= sum;
  }
  return s;
}

// ∂P_l/∂A_j = P_l ([l = j] − P_j), so dA_j = Σ_l dP_l ∂P_l/∂A_j = P_j (dP_j − Σ_l P_l dP_l).
Matrix softmax_backward(const Matrix& P, const Matrix& dP) {
  Matrix dA = elementwise(P, dP);
  const Matrix sums = product(dA, Matrix(dA.cols, 1, 1.0));  // of each row
  for (int i = 0; i < P.rows; ++i) {
    for (int j = 0; j < P.cols; ++j) dA.row(i)[j] -= P.row(i)[j] * sums.row(i)[0];
  }
  return dA;
}

// Attention(Q, K, V) = softmax(Q Kᵀ/√d_k) V for Q [m, d_k], K [n, d_k], V [n, d_v]       eq. (1)
Matrix attention(Model& m, const Name& name, const Matrix& Q, const Matrix& K, const Matrix& V,
                 bool causal) {
  Matrix A = scaled(1 / std::sqrt(K.cols), product(Q, transposed(K)));  // [m, n]
  for (int i = 0; causal && i < A.rows; ++i) {
    for (int j = i + 1; j < A.cols; ++j) A.row(i)[j] = -HUGE_VAL;  // the future: e^(−∞) = 0
  }
  const Matrix P = softmax(A);
  m.kept[name + ".Q"] = Q, m.kept[name + ".K"] = K, m.kept[name + ".V"] = V;
  m.kept[name + ".P"] = P;
  return product(P, V);
}

// Returns dQ, dK, dV.
std::array<Matrix, 3> attention_backward(Model& m, const Name& name, const Matrix& dO) {
  const Matrix &Q = m.kept.at(name + ".Q"), &K = m.kept.at(name + ".K"),
               &V = m.kept.at(name + ".V"), &P = m.kept.at(name + ".P");
  const Matrix dP = product(dO, transposed(V));  // O = P V
  const Matrix dS = scaled(1 / std::sqrt(K.cols), softmax_backward(P, dP));
  return {product(dS, K), product(transposed(dS), Q), product(transposed(P), dO)};
}

// ---- §3.2.2 Multi-head attention ----
// Concat(head_1, …, head_h) W^O with head_i = Attention(x W^Q_i, memory W^K_i, memory W^V_i).
// The W^Q_i are side by side in one matrix [d_model, h d_k]; so are the W^K_i and the W^V_i.
Matrix multi_head(Model& m, const Name& name, const Matrix& x, const Matrix& memory, bool causal) {
  const Config& c = m.config;
  const auto Q = split(linear(m, name + ".query", x, c.heads * c.d_k), c.heads);
  const auto K = split(linear(m, name + ".key", memory, c.heads * c.d_k), c.heads);
  const auto V = split(linear(m, name + ".value", memory, c.heads * c.d_v), c.heads);
  std::vector<Matrix> O;
  for (std::size_t i = 0; i < Q.size(); ++i) {
    O.push_back(attention(m, name + ".head" + std::to_string(i), Q[i], K[i], V[i], causal));
  }
  return linear(m, name + ".output", concat(O), c.d_model);
}

// Returns dx and dmemory.
std::array<Matrix, 2> multi_head_backward(Model& m, const Name& name, const Matrix& dy) {
  const auto dO = split(linear_backward(m, name + ".output", dy), m.config.heads);
  std::vector<Matrix> dQ, dK, dV;
  for (std::size_t i = 0; i < dO.size(); ++i) {
    const auto d = attention_backward(m, name + ".head" + std::to_string(i), dO[i]);
    dQ.push_back(d[0]), dK.push_back(d[1]), dV.push_back(d[2]);
  }
  return {linear_backward(m, name + ".query", concat(dQ)),
          linear_backward(m, name + ".key", concat(dK)) +
              linear_backward(m, name + ".value", concat(dV))};
}

// ---- §3.3 Position-wise feed-forward networks ----
// FFN(x) = max(0, x W₁ + b₁) W₂ + b₂                                                     eq. (2)
Matrix feed_forward(Model& m, const Name& name, const Matrix& x) {
  const Name inner = name + ".inner", outer = name + ".outer";
  Matrix hidden = with_bias(m, inner + ".bias", linear(m, inner, x, m.config.d_ff));
  for (double& number : hidden.numbers) number = std::max(0.0, number);
  return with_bias(m, outer + ".bias", linear(m, outer, hidden, x.cols));
}

Matrix feed_forward_backward(Model& m, const Name& name, const Matrix& dy) {
  bias_backward(m, name + ".outer.bias", dy);
  Matrix dhidden = linear_backward(m, name + ".outer", dy);
  const Matrix& hidden = m.kept.at(name + ".outer");
  for (std::size_t i = 0; i < hidden.numbers.size(); ++i) {
    if (hidden.numbers[i] <= 0) dhidden.numbers[i] = 0;  // where the maximum was the 0
  }
  bias_backward(m, name + ".inner.bias", dhidden);
  return linear_backward(m, name + ".inner", dhidden);
}

// ---- §3.1 Layer normalisation ----
// γ ⊙ x̂ + β with x̂ = (x − mean)/σ, σ² = variance + ε, for each row by itself.
Matrix layer_norm(Model& m, const Name& name, Matrix x) {
  const Matrix& gamma = m.parameter(name + ".gamma", 1, x.cols).value;
  Matrix sigma(x.rows, 1);
  for (int i = 0; i < x.rows; ++i) {
    double *row = x.row(i), mean = 0, variance = 1e-5;
    for (int j = 0; j < x.cols; ++j) mean += row[j] / x.cols;
    for (int j = 0; j < x.cols; ++j) variance += (row[j] - mean) * (row[j] - mean) / x.cols;
    sigma.row(i)[0] = std::sqrt(variance);
    for (int j = 0; j < x.cols; ++j) row[j] = (row[j] - mean) / sigma.row(i)[0];
  }
  m.kept[name + ".sigma"] = sigma;
  m.kept[name + ".x_hat"] = x;
  return with_bias(m, name + ".beta", elementwise(product(Matrix(x.rows, 1, 1.0), gamma), x));
}

// dx̂ = γ ⊙ dy. All of a row's x share mean and σ: dx = (dx̂ − mean(dx̂) − x̂ mean(dx̂ ⊙ x̂))/σ.
Matrix layer_norm_backward(Model& m, const Name& name, const Matrix& dy) {
  Parameter& gamma = m.parameters.at(name + ".gamma");
  const Matrix &x_hat = m.kept.at(name + ".x_hat"), &sigma = m.kept.at(name + ".sigma");
  bias_backward(m, name + ".beta", dy);
  add_product(Matrix(1, dy.rows, 1.0), elementwise(dy, x_hat), gamma.gradient);
  Matrix dx = elementwise(product(Matrix(dy.rows, 1, 1.0), gamma.value), dy);  // still dx̂
  for (int i = 0; i < dx.rows; ++i) {
    double *row = dx.row(i), mean = 0, mean_x_hat = 0;
    for (int j = 0; j < dx.cols; ++j) mean += row[j] / dx.cols;
    for (int j = 0; j < dx.cols; ++j) mean_x_hat += row[j] * x_hat.row(i)[j] / dx.cols;
    for (int j = 0; j < dx.cols; ++j) {
      row[j] = (row[j] - mean - x_hat.row(i)[j] * mean_x_hat) / sigma.row(i)[0];
    }
  }
  return dx;
}

// ---- §5.4 Dropout ----
// In training, each number becomes 0 with probability p; the others are divided by 1 − p, so that
// the expected value stays. dx is dy under the same mask.
Matrix dropout(Model& m, const Name& name, const Matrix& x) {
  const double p = m.training ? m.config.dropout : 0;
  Matrix& mask = m.kept[name + ".mask"] = x;
  for (double& factor : mask.numbers) factor = m.random.uniform() < p ? 0 : 1 / (1 - p);
  return elementwise(mask, x);
}

Matrix dropout_backward(Model& m, const Name& name, const Matrix& dy) {
  return elementwise(m.kept.at(name + ".mask"), dy);
}

// ---- §3.4 Embeddings, §3.5 positional encoding ----
// PE(pos, 2i) = sin(pos/10000^(2i/d_model)), PE(pos, 2i + 1) = cos(the same)     [n, d_model]
Matrix positional_encoding(int n, int d_model) {
  Matrix pe(n, d_model);
  for (int pos = 0; pos < n; ++pos) {
    for (int j = 0; j < d_model; ++j) {
      const double angle = pos / std::pow(10000, (j - j % 2) / static_cast<double>(d_model));
      pe.row(pos)[j] = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return pe;
}

// √d_model E[id] + PE(pos). A row that is 1 at id and 0 elsewhere, times E, is row id of E.
Matrix embed(Model& m, const Name& side, const Ids& ids) {
  const Config& c = m.config;
  const Matrix& x = m.kept[side] = one_hot(ids, c.vocabulary);
  const Matrix& E = m.parameter("embedding.weight", c.vocabulary, c.d_model).value;
  const Matrix pe = positional_encoding(x.rows, c.d_model);
  return dropout(m, side, scaled(std::sqrt(c.d_model), product(x, E)) + pe);
}

void embed_backward(Model& m, const Name& side, const Matrix& dy) {
  const Matrix dx = scaled(std::sqrt(dy.cols), dropout_backward(m, side, dy));
  add_product(transposed(m.kept.at(side)), dx, m.parameters.at("embedding.weight").gradient);
}

// ---- §3.1 The layers of encoder and decoder: LayerNorm(x + Dropout(Sublayer(x))) ----
Matrix encoder_layer(Model& m, const Name& layer, Matrix x) {
  const Name self = layer + ".self_attention", ffn = layer + ".feed_forward";
  x = layer_norm(m, self + "_norm", x + dropout(m, self, multi_head(m, self, x, x, false)));
  return layer_norm(m, ffn + "_norm", x + dropout(m, ffn, feed_forward(m, ffn, x)));
}

Matrix encoder_layer_backward(Model& m, const Name& layer, Matrix d) {
  const Name self = layer + ".self_attention", ffn = layer + ".feed_forward";
  d = layer_norm_backward(m, ffn + "_norm", d);
  d = d + feed_forward_backward(m, ffn, dropout_backward(m, ffn, d));
  d = layer_norm_backward(m, self + "_norm", d);
  const auto [dx, dmemory] = multi_head_backward(m, self, dropout_backward(m, self, d));
  return d + dx + dmemory;
}

Matrix decoder_layer(Model& m, const Name& layer, Matrix x, const Matrix& z) {
  const Name self = layer + ".self_attention", cross = layer + ".cross_attention",
             ffn = layer + ".feed_forward";
  x = layer_norm(m, self + "_norm", x + dropout(m, self, multi_head(m, self, x, x, true)));
  x = layer_norm(m, cross + "_norm", x + dropout(m, cross, multi_head(m, cross, x, z, false)));
  return layer_norm(m, ffn + "_norm", x + dropout(m, ffn, feed_forward(m, ffn, x)));
}

// Every layer of the decoder reads z, so every layer adds to dz.
Matrix decoder_layer_backward(Model& m, const Name& layer, Matrix d, Matrix& dz) {
  const Name self = layer + ".self_attention", cross = layer + ".cross_attention",
             ffn = layer + ".feed_forward";
  d = layer_norm_backward(m, ffn + "_norm", d);
  d = d + feed_forward_backward(m, ffn, dropout_backward(m, ffn, d));
  d = layer_norm_backward(m, cross + "_norm", d);
  const auto [dquery, dz_here] = multi_head_backward(m, cross, dropout_backward(m, cross, d));
  dz = dz + dz_here;
  d = layer_norm_backward(m, self + "_norm", d + dquery);
  const auto [dx, dmemory] = multi_head_backward(m, self, dropout_backward(m, self, d));
  return d + dx + dmemory;
}

// ---- Figure 1 ----
// The scores of the token after each target token [m, V]: h Eᵀ (§3.4)
Matrix forward(Model& m, const Ids& source, const Ids& target) {
  const int N = m.config.layers;
  Matrix z = embed(m, "source", source);
  for (int i = 0; i < N; ++i) z = encoder_layer(m, "encoder." + std::to_string(i), z);
  Matrix h = embed(m, "target", target);
  for (int i = 0; i < N; ++i) h = decoder_layer(m, "decoder." + std::to_string(i), h, z);
  m.kept["z"] = z;
  m.kept["h"] = h;
  return product(h, transposed(m.parameters.at("embedding.weight").value));
}

void backward(Model& m, const Matrix& dlogits) {
  Parameter& E = m.parameters.at("embedding.weight");
  add_product(transposed(dlogits), m.kept.at("h"), E.gradient);
  Matrix dh = product(dlogits, E.value), dz = scaled(0, m.kept.at("z"));
  for (int i = m.config.layers - 1; i >= 0; --i) {
    dh = decoder_layer_backward(m, "decoder." + std::to_string(i), dh, dz);
  }
  embed_backward(m, "target", dh);
  for (int i = m.config.layers - 1; i >= 0; --i) {
    dz = encoder_layer_backward(m, "encoder." + std::to_string(i), dz);
  }
  embed_backward(m, "source", dz);
}

// ---- The loss, §5.4 ----
// −Σ_v q_v ln p_v with p = softmax(logits), where q is 1 − ε on the right token plus ε/V on all;
// summed over the tokens. The logits become their gradient, p − q.
double cross_entropy(Matrix& logits, const Ids& target, double epsilon) {
  const Matrix p = softmax(logits), rest(p.rows, p.cols, epsilon / p.cols);
  const Matrix q = scaled(1 - epsilon, one_hot(target, p.cols)) + rest;
  double loss = 0;
  for (std::size_t i = 0; i < q.numbers.size(); ++i) loss -= q.numbers[i] * std::log(p.numbers[i]);
  logits = p + scaled(-1, q);
  return loss;
}

// The mean loss of a target token; adds its gradient to that of each parameter.
double loss_and_gradients(Model& model, const std::vector<Pair>& batch) {
  double loss = 0, tokens = 0;
  for (const Pair& pair : batch) tokens += static_cast<double>(pair.target.size());
  model.training = true;
  for (const Pair& pair : batch) {
    Ids input{kBos};  // to write token t, the decoder reads <bos> and the tokens before t
    input.insert(input.end(), pair.target.begin(), pair.target.end() - 1);
    Matrix logits = forward(model, pair.source, input);
    loss += cross_entropy(logits, pair.target, model.config.label_smoothing) / tokens;
    backward(model, scaled(1 / tokens, logits));
  }
  model.training = false;
  return loss;
}

// ---- §5.3 The optimizer, Adam ----
// w ← w − rate · m̂/(√v̂ + ε). m and v start at 0; dividing by 1 − β^step makes up for that. β₁ is
// 0.9, β₂ 0.98, and ε 10⁻⁹. The rate is half that of eq. (3), with a warm-up of 500 steps.
void update(Model& model, int step, int steps) {
  const double warmup = 500, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  const double rate = 0.5 / std::sqrt(model.config.d_model) *  // half of eq. (3): d_model is small
                      std::min(1 / std::sqrt(step), step * std::pow(warmup, -1.5));
  const double m_part = 1 - std::pow(beta1, step), v_part = 1 - std::pow(beta2, step);
  for (auto& [name, p] : model.parameters) {
    for (std::size_t i = 0; i < p.value.numbers.size(); ++i) {
      double &g = p.gradient.numbers[i], &m = p.m.numbers[i], &v = p.v.numbers[i];
      m = beta1 * m + (1 - beta1) * g;
      v = beta2 * v + (1 - beta2) * g * g;
      p.value.numbers[i] -= rate * (m / m_part) / (std::sqrt(v / v_part) + epsilon);
      g = 0;
    }
    // §6.1: in the end we use the mean of the weights over the last fifth of the steps.
    const int last = std::max(1, steps / 5);
    if (step > steps - last) p.mean = p.mean + scaled(1.0 / last, p.value);
    if (step == steps) p.value = p.mean;
  }
}

// ---- Writing ----
// Greedy: always the best token, which is then read like the others. Ends with <eos>, or where only
// a wrong answer could go on.
Ids write(Model& model, const Ids& source) {
  Ids written{kBos};
  while (written.size() <= source.size() && written.back() != kEos) {
    const Matrix logits = forward(model, source, written);
    const double* last = logits.row(logits.rows - 1);
    written.push_back(static_cast<int>(std::max_element(last, last + logits.cols) - last));
  }
  written.erase(written.begin());
  return written;
}

void print_answer(const Ids& source, const Ids& written) {
  for (const int id : source) std::putchar(kLetters[id]);
  std::printf(" -> ");
  for (const int id : written) std::putchar(kLetters[id]);
  std::printf("\n");
}

// Where it looked while it wrote.
void print_map(const Matrix& P, const Pair& pair) {
  std::printf("\nweights in tenths, # for 1; columns are read, rows are written\n   ");
  for (const int id : pair.source) std::printf(" %c", kLetters[id]);
  for (int i = 0; i < P.rows; ++i) {
    std::printf("\n  %c", kLetters[pair.target.begin()[i]]);
    for (int j = 0; j < P.cols; ++j)
      std::printf(" %c", ".123456789#"[std::lround(10 * P.row(i)[j])]);
  }
  std::printf("\n");
}

// ---- Is the gradient right? ----
// dL/dw ≈ (L(w + h) − L(w − h))/2h, for every number w of every parameter of a small model.
bool check(std::uint64_t seed) {
  Model model;
  model.config = {kVocabulary, 2, 6, 7, 2, 3, 2, 0.2, 0.1};
  Random data{seed};
  const std::vector<Pair> batch{{{5, 3, 4, kEos}, {4, 3, 5, kEos}}, {{6, 6, kEos}, {6, 6, kEos}}};
  const auto loss = [&] {
    model.random.state = seed;  // the same dropout each time
    return loss_and_gradients(model, batch);
  };
  loss();  // makes the parameters
  for (auto& [name, p] : model.parameters) {
    p.gradient = scaled(0, p.value);
    for (double& w : p.value.numbers) w += 0.5 * data.uniform() - 0.25;  // no γ is 1, and no bias 0
  }
  loss();
  const std::map<Name, Parameter> claimed = model.parameters;
  bool right = true;
  for (auto& [name, p] : model.parameters) {
    double squared_error = 0, squared_norm = 0;
    for (std::size_t i = 0; i < p.value.numbers.size(); ++i) {
      double& w = p.value.numbers[i];
      const double h = 1e-5, above = (w += h, loss()), below = (w -= 2 * h, loss());
      const double quotient = (above - below) / (2 * h);
      w += h;
      squared_error += std::pow(claimed.at(name).gradient.numbers[i] - quotient, 2);
      squared_norm += quotient * quotient;
    }
    const double error = std::sqrt(squared_error / squared_norm);
    right = right && error < 1e-6;  // false for NaN
    std::printf("%-42s %.1e%s\n", name.c_str(), error, error < 1e-6 ? "" : "  WRONG");
  }
  std::printf("the gradient is %s\n", right ? "right" : "WRONG");
  return right;
}

// ---- The program ----
void run(const Name& task, int steps, std::uint64_t seed) {
  Model model;
  model.random.state = seed;
  Random data{~seed}, test{0};
  double loss = 0;  // the mean of the last hundred steps or so
  for (int step = 1; step <= steps; ++step) {
    std::vector<Pair> batch;
    while (batch.size() < 16) batch.push_back(draw_pair(task, false, data));
    loss += (loss_and_gradients(model, batch) - loss) / std::min(step, 100);
    update(model, step, steps);
    if (step % std::max(1, steps / 10) == 0) std::printf("step %4d  loss %.4f\n", step, loss);
  }
  int exact = 0;
  for (int i = 0; i < 1000; ++i) {
    const Pair pair = draw_pair(task, true, test);
    const Ids written = write(model, pair.source);
    if (i == 0)
      print_map(model.kept.at("decoder.1.cross_attention.head0.P"), {pair.source, written});
    if (i < 3) print_answer(pair.source, written);
    exact += is_right(task, pair.target, written);
  }
  std::printf("exact: %d of 1000\n", exact);
}

}  // namespace grow

#ifndef GROW_NO_MAIN  // which a test defines that includes this file
int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  int steps = 3500, seed = 1;
  bool good = task == "copy" || task == "reverse" || task == "shuffle" || task == "--check";
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i], number = i + 1 < argc ? argv[i + 1] : "";
    good = good && (option == "--steps" || option == "--seed") && !number.empty() &&
           number.size() < 9 && number.find_first_not_of("0123456789") == std::string::npos;
    if (good) (option == "--steps" ? steps : seed) = std::stoi(number);
  }
  const char* usage = "usage: grow copy|reverse|shuffle|--check [--steps N] [--seed N]\n";
  if (!good) return std::fputs(usage, stderr), 2;
  if (task == "--check") return grow::check(static_cast<std::uint64_t>(seed)) ? 0 : 1;
  grow::run(task, steps, static_cast<std::uint64_t>(seed));
}
#endif

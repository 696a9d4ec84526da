// How the exercises are checked. A test is a list of claims, easy ones first; the first that does
// not hold ends it, with a message for learners.
#pragma once

#include <map>

#include "support/exercise.h"
#include "support/random_tensors.h"

namespace exercises {

using attn::test::random_tensor;
using attn::test::tensor_of;
using attn::test::weighted_sum;

// A claim that does not hold.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "0.25": six digits, no trailing zeros.
std::string show(double x);
std::string show(const std::vector<Index>& numbers);  // "[6, 2]"

// The claims about code. Each begins with a sentence about what should hold; `hint` says what may
// have gone wrong.
class Checks {
 public:
  // Takes down what is claimed next; what was claimed before has held.
  void claim(const std::string& sentence);
  void that(bool holds, const std::string& hint) const;
  void number(const std::string& what, double got, double want, const std::string& hint,
              double tolerance = 1e-9) const;
  // Shapes, then numbers: ‖got − want‖ ≤ tolerance · (‖want‖ + 1).
  void tensor(const std::string& what, const Tensor& got, const Tensor& want,
              const std::string& hint, double tolerance = 1e-9) const;
  // dx is the gradient of loss() with respect to x, by central differences. x is changed and put
  // back.
  void gradient(const std::string& what, const Tensor& dx, Tensor& x,
                const std::function<double()>& loss, const std::string& hint) const;

  const std::string& claimed() const { return claim_; }
  // The last claim has held too.
  void done();

 private:
  std::string claim_;
};

// The answers to a paper exercise, by the letter of the question.
class Answers {
 public:
  using Hints = std::vector<std::pair<double, std::string>>;

  explicit Answers(std::map<std::string, std::string> given) : given_(std::move(given)) {}
  // Reads lines `a = 17`, after any blanks; others are passed over.
  static Answers read(const std::string& path);

  // A number, right to `tolerance` relative to it; three digits will do. `mistakes` tells apart the
  // wrong answers that one may expect. Fractions (3/4) and powers (1e6) are read too.
  void number(const std::string& key, double want, const std::string& hint,
              const Hints& mistakes = {}, double tolerance = 0.005);
  // A whole number, exactly.
  void count(const std::string& key, Index want, const std::string& hint,
             const Hints& mistakes = {});
  // Whole numbers in this order, however they are set apart.
  void list(const std::string& key, const std::vector<Index>& want, const std::string& hint);
  // The same in any order. `want` is ascending.
  void set(const std::string& key, const std::vector<Index>& want, const std::string& hint);
  // One of the words in `choices`; `want` is among them.
  void word(const std::string& key, const std::string& want,
            const std::vector<std::string>& choices, const std::string& hint);

  bool all_right() const { return all_right_; }

 private:
  // The answer, or nothing: then it has been said that there is none.
  const std::string* find(const std::string& key);
  void report(const std::string& key, bool right, const std::string& answer,
              const std::string& hint);

  std::map<std::string, std::string> given_;
  bool all_right_ = true;
};

// A test registers itself by name: the name of its file.
struct Exercise {
  Exercise(const std::string& name, std::function<void(Checks&)> check);
  Exercise(const std::string& name, std::function<void(Answers&)> check);
};

}  // namespace exercises

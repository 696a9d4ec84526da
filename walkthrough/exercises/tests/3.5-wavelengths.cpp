// Angles read back from the library's encodings.
#include "layers/positional_encoding.h"
#include "support/checks.h"

static const exercises::Exercise wavelengths_exercise(
    "3.5-wavelengths", [](exercises::Answers& answers) {
      using namespace exercises;
      const double two_pi = 2 * std::acos(-1.0);
      const auto encoding = [](Index pos, Index d) {
        Tensor row = Tensor::zeros({d});
        attn::sinusoidal_encoding(pos, d, row.data());
        return row;
      };
      const Tensor first = encoding(1, 512);
      const auto wavelength = [&](Index i) {
        return two_pi / std::atan2(first[2 * i], first[2 * i + 1]);
      };
      Index above = 0;
      while (wavelength(above) <= 100) ++above;
      answers.number("a", wavelength(0), "It turns by 1 radian per position.");
      answers.number("b", wavelength(128), "2π · 10000^(2·128/512).",
                     {{wavelength(64), "The exponent is 2i/512."}});
      answers.number("c", wavelength(255), "2π · 10000^(510/512).",
                     {{two_pi * 10000, "That would be pair 256; the last is 255."}}, 0.001);
      answers.number("d", wavelength(1) / wavelength(0), "10000^(2/512).", {}, 0.004);
      answers.count("e", above, "2π · 10000^(2i/512) > 100.",
                    {{static_cast<double>(above - 1), "That one is just below 100."}});
      const Tensor seven = encoding(7, 512);
      answers.number("f", weighted_sum(seven, seven), "sin² + cos² = 1, how many times?",
                     {{512, "Each pair gives 1, not each number."}});
      answers.number("g", 2.5, "sin a sin b + cos a cos b = cos(a − b).");
      answers.number("h", two_pi * std::pow(10000.0, 255.0 / 512), "2π · 10000^(255/512).");
    });

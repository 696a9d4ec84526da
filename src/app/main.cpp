// The program `attention`.
#include "app/options.h"

int main(int argc, char** argv) {
  return attn::app::run_program(attn::app::paper_program(), argc, argv);
}

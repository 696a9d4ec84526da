// The program `attention-lab`.
#include "lab/commands/commands.h"

int main(int argc, char** argv) {
  return attn::app::run_program(attn::app::laboratory_program(), argc, argv);
}

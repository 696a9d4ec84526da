// A Markdown file taken apart: fenced blocks, marks (the invisible comments that say where a block
// or a number comes from), and the prose that is left.
#pragma once

#include <string>
#include <vector>

#include "text.h"

namespace listings {

// <!-- word: rest --> or <!-- word -->
struct Mark {
  std::string word, rest;
  std::size_t begin = 0, end = 0;  // bytes of the comment
  int line = 0;
  bool alone = false;  // on its line
};

struct Block {
  std::string language;            // the word after the opening fence
  Lines lines;                     // without the fence's indentation
  std::size_t begin = 0, end = 0;  // bytes of the lines
  int line = 0;                    // of the opening fence
  std::string fence;               // the backticks or tildes, with the indentation before them
  Mark mark;                       // the mark in the line above; no word if there is none
};

// Something to tell the author. `repairable`: the update mode would write it anew.
struct Finding {
  std::string file;
  int line = 0;
  std::string message;
  bool repairable = false;
};

struct Document {
  std::string name;  // the path from the repository's root
  std::string text;
  // The text with blocks, code spans, formulas and comments blanked out; same length, same lines.
  std::string prose;
  std::vector<Mark> marks;
  std::vector<Block> blocks;
  std::vector<Finding> findings;  // what is wrong with blocks and marks

  int line_at(std::size_t byte) const;
  void complain(int line, const std::string& message, bool repairable = false);
};

Document parse_document(const std::string& name, const std::string& text);

// How long reading it takes, to five minutes: 200 words of prose in one, or 12 lines of a block.
int reading_minutes(const Document& document);

// A change of the bytes [begin, end).
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
};
std::string edited(const std::string& text, std::vector<Edit> edits);
// The edit that gives a block other lines. Throws if one of them would close the block.
Edit replace_lines(const Document& document, const Block& block, const Lines& lines);

}  // namespace listings

#include "text/bpe.h"

#include <algorithm>
#include <cstdio>
#include <queue>
#include <set>

#include "base/check.h"
#include "base/number.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace attn {

namespace {

constexpr char kEnd = '\xFF';  // the mark inside a token's text: no UTF-8 holds this byte
constexpr const char* kHeading = "attention-tokenizer 1 bpe";

std::uint64_t pair_key(int left, int right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

std::uint32_t code_point(std::string_view character) {
  const auto bits = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 1) return bits(0);
  std::uint32_t code = bits(0) & (0x7Fu >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (bits(i) & 0x3F);
  return code;
}

// Letters, digits, and whatever else is not known to be punctuation, a symbol or white space.
bool is_word_character(std::string_view character) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kOthers[] = {
      {0x00, 0x2F},     {0x3A, 0x40},     {0x5B, 0x60},     {0x7B, 0xA9},      {0xAB, 0xB4},
      {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},      {0x37E, 0x37E},
      {0x55A, 0x55F},   {0x589, 0x58A},   {0x5BE, 0x5BE},   {0x60C, 0x60D},    {0x61B, 0x61F},
      {0x66A, 0x66D},   {0x6D4, 0x6D4},   {0x964, 0x965},   {0xE4F, 0xE4F},    {0x1680, 0x1680},
      {0x2000, 0x206F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},  {0x3000, 0x3004},
      {0x3008, 0x3030}, {0x30FB, 0x30FB}, {0xFE10, 0xFE6F}, {0xFF00, 0xFF0F},  {0xFF1A, 0xFF20},
      {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}};
  const std::uint32_t code = code_point(character);
  return std::none_of(std::begin(kOthers), std::end(kOthers), [&](const auto& range) {
    return range.first <= code && code <= range.second;
  });
}

// A token as the file writes it.
std::string escape(std::string_view symbol) {
  std::string result;
  for (const char c : symbol) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (c == kEnd) {
      result += '_';
    } else if (c == '\\' || c == '_') {
      (result += '\\') += c;
    } else if (c == ' ') {
      result += "\\s";
    } else if (byte < 0x20 || byte == 0x7F) {
      char digits[8];
      std::snprintf(digits, sizeof digits, "\\x%02X", byte);
      result += digits;
    } else {
      result += c;
    }
  }
  return result;
}

// The reverse. Throws Error, beginning with `where`, for what escape() does not write.
std::string unescape(std::string_view token, const std::string& where) {
  std::string symbol;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '_') {
      ATTN_CHECK(i + 1 == token.size(), where, "a mark _ before the end of a token");
      symbol += kEnd;
    } else if (token[i] != '\\') {
      symbol += token[i];
    } else {
      const char next = ++i < token.size() ? token[i] : '\0';
      if (next == '\\' || next == '_') {
        symbol += next;
      } else if (next == 's') {
        symbol += ' ';
      } else {
        const auto digit = [&](std::size_t at) {
          const std::string_view digits = "0123456789ABCDEF";
          const std::size_t value = at < token.size() ? digits.find(token[at]) : digits.npos;
          ATTN_CHECK(next == 'x' && value != digits.npos, where,
                     "after a backslash there must be \\, _, s or x and two hexadecimal digits");
          return static_cast<int>(value);
        };
        symbol += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
        i += 2;
      }
    }
  }
  ATTN_CHECK(escape(symbol) == token, where,
             "a token that is not written as the program writes it");
  return symbol;
}

}  // namespace

std::vector<std::string_view> pieces(std::string_view line) {
  std::vector<std::string_view> result;
  while (!line.empty()) {
    const bool word = is_word_character(first_character(line));
    std::size_t bytes = 0;
    while (bytes < line.size()) {
      const std::string_view character = first_character(line.substr(bytes));
      if (is_word_character(character) != word) break;
      bytes += character.size();
    }
    // A single space between two words is understood.
    const bool understood = !result.empty() && bytes < line.size() && line.substr(0, bytes) == " ";
    if (!understood) result.push_back(line.substr(0, bytes));
    line.remove_prefix(bytes);
  }
  return result;
}

void count_pieces(std::string_view line, PieceCounts& counts) {
  for (const std::string_view piece : pieces(line)) ++counts[std::string(piece)];
}

BytePairs::BytePairs() {
  tokens_ = {"<unk>", "<bos>", "<eos>"};
  static_assert(kFirstByte == kSpecialTokens, "bytes follow the special tokens");
  for (int byte = 0; byte < 256; ++byte) tokens_.emplace_back(1, static_cast<char>(byte));
  add(std::string(1, kEnd));
}

int BytePairs::add(std::string symbol) {
  const int id = size();
  ids_.emplace(symbol, id);
  tokens_.push_back(std::move(symbol));
  return id;
}

int BytePairs::id_of(std::string_view symbol) const {
  const auto found = ids_.find(std::string(symbol));
  return found == ids_.end() ? -1 : found->second;
}

int BytePairs::add_merge(int left, int right) {
  const std::string symbol =
      tokens_[static_cast<std::size_t>(left)] + tokens_[static_cast<std::size_t>(right)];
  // Other symbols may have made the same text already.
  int result = id_of(symbol);
  if (result < 0) result = add(symbol);
  ranks_[pair_key(left, right)] = {static_cast<int>(merges_.size()), result};
  merges_.emplace_back(left, right);
  return result;
}

// The symbols that a piece begins with: its characters, the last one marked; bytes for those that
// are not in the vocabulary.
std::vector<int> BytePairs::spell(std::string_view piece) const {
  std::vector<int> ids;
  while (!piece.empty()) {
    const std::string character(first_character(piece));
    piece.remove_prefix(character.size());
    const int marked = piece.empty() ? id_of(character + kEnd) : -1;
    const int plain = id_of(character);
    if (marked >= 0) {
      ids.push_back(marked);
      return ids;
    }
    if (plain >= 0) {
      ids.push_back(plain);
    } else {
      for (const char byte : character)
        ids.push_back(kFirstByte + static_cast<unsigned char>(byte));
    }
  }
  ids.push_back(kMark);
  return ids;
}

BytePairs BytePairs::learn(const PieceCounts& counts, Index size) {
  ATTN_CHECK(size > kFirstCharacter, "a vocabulary of byte pairs has more than ", kFirstCharacter,
             " tokens: the special ones, the bytes and a mark; not ", size);
  BytePairs result;

  // Characters, plain and marked, by how often they occur; then by their bytes.
  std::unordered_map<std::string, std::int64_t> occurrences;
  for (const auto& [piece, count] : counts) {
    for (std::string_view rest = piece; !rest.empty();) {
      std::string character(first_character(rest));
      rest.remove_prefix(character.size());
      if (rest.empty()) character += kEnd;
      occurrences[character] += count;
    }
  }
  std::vector<std::pair<std::int64_t, std::string>> characters;
  for (const auto& [character, count] : occurrences) characters.emplace_back(-count, character);
  std::sort(characters.begin(), characters.end());
  const std::size_t most = static_cast<std::size_t>((size - kFirstCharacter + 1) / 2);
  for (std::size_t i = 0; i < std::min(most, characters.size()); ++i) {
    result.add(characters[i].second);
  }

  // Words as symbols, and where each pair of neighbours occurs. (Their order does not matter.)
  struct Word {
    std::vector<int> symbols;
    std::int64_t count;
  };
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> words;  // some perhaps no longer
  };
  std::vector<Word> words;
  std::unordered_map<std::uint64_t, Occurrences> pairs;
  const auto may_merge = [](int left, int right) {
    // Bytes are the last resort and stay single. (kMark may join a character before it.)
    return left >= kFirstCharacter && right >= kMark;
  };
  std::set<std::uint64_t> changed;
  const auto add_pairs = [&](std::size_t w, std::int64_t sign) {
    const Word& word = words[w];
    for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
      if (!may_merge(word.symbols[i], word.symbols[i + 1])) continue;
      const std::uint64_t key = pair_key(word.symbols[i], word.symbols[i + 1]);
      Occurrences& occurrence = pairs[key];
      occurrence.count += sign * word.count;
      if (sign > 0 && (occurrence.words.empty() || occurrence.words.back() != w)) {
        occurrence.words.push_back(w);
      }
      changed.insert(key);
    }
  };
  for (const auto& [piece, count] : counts) {
    words.push_back({result.spell(piece), count});
    add_pairs(words.size() - 1, 1);
  }

  // The most frequent pair first, of equally frequent ones that with the lowest ids. Entries whose
  // count has changed since are passed over: a new one was made.
  struct Candidate {
    std::int64_t count;
    std::uint64_t key;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : key > other.key;
    }
  };
  std::priority_queue<Candidate> candidates;
  while (result.size() < size) {
    for (const std::uint64_t key : changed) {
      const auto found = pairs.find(key);
      if (found->second.count >= 2) {
        candidates.push({found->second.count, key});
      } else if (found->second.count == 0) {
        pairs.erase(found);
      }
    }
    changed.clear();
    const auto is_stale = [&](const Candidate& candidate) {
      const auto found = pairs.find(candidate.key);
      return found == pairs.end() || found->second.count != candidate.count;
    };
    while (!candidates.empty() && is_stale(candidates.top())) candidates.pop();
    if (candidates.empty()) break;
    const std::uint64_t key = candidates.top().key;
    const int left = static_cast<int>(key >> 32), right = static_cast<int>(key & 0xFFFFFFFFu);
    const int merged = result.add_merge(left, right);

    const std::vector<std::size_t> where = std::move(pairs[key].words);
    for (const std::size_t w : where) {
      std::vector<int>& symbols = words[w].symbols;
      std::vector<int> shorter;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here = symbols[i] == left && i + 1 < symbols.size() && symbols[i + 1] == right;
        shorter.push_back(here ? merged : symbols[i]);
        i += here;
      }
      if (shorter.size() == symbols.size()) continue;
      add_pairs(w, -1);
      symbols = std::move(shorter);
      add_pairs(w, 1);
    }
  }
  return result;
}

std::string BytePairs::token(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, "; the vocabulary has ", size());
  if (id < kFirstByte) return tokens_[static_cast<std::size_t>(id)];
  if (id >= kMark) return escape(tokens_[static_cast<std::size_t>(id)]);
  char digits[8];
  std::snprintf(digits, sizeof digits, "\\x%02X", static_cast<unsigned>(id - kFirstByte));
  return digits;
}

std::vector<int> BytePairs::encode(std::string_view line) const {
  std::vector<int> ids;
  for (const std::string_view piece : pieces(line)) {
    std::vector<int> symbols = spell(piece);
    for (;;) {
      // The merge that was learned first, wherever it applies.
      const Merge* best = nullptr;
      std::uint64_t best_key = 0;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        const std::uint64_t key = pair_key(symbols[i], symbols[i + 1]);
        const auto found = ranks_.find(key);
        if (found == ranks_.end() || (best != nullptr && found->second.rank >= best->rank))
          continue;
        best = &found->second;
        best_key = key;
      }
      if (best == nullptr) break;
      std::size_t end = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here =
            i + 1 < symbols.size() && pair_key(symbols[i], symbols[i + 1]) == best_key;
        symbols[end++] = here ? best->result : symbols[i];
        i += here;
      }
      symbols.resize(end);
    }
    ids.insert(ids.end(), symbols.begin(), symbols.end());
  }
  return ids;
}

std::string BytePairs::decode(const std::vector<int>& ids) const {
  std::string marked;
  for (const int id : ids) {
    ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, "; the vocabulary has ", size());
    if (id != kBos && id != kEos) marked += tokens_[static_cast<std::size_t>(id)];
    // The byte that stands for the mark is no mark when it is spelt.
    if (id == kFirstByte + static_cast<unsigned char>(kEnd)) marked.back() = '\xFE';
  }

  // Between two words there was a space.
  std::string line;
  bool after_word = false;
  for (const std::string& piece : split(marked, kEnd)) {
    if (piece.empty()) continue;
    if (after_word && is_word_character(first_character(piece))) line += ' ';
    line += piece;
    std::size_t last = piece.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(piece[last]) & 0xC0) == 0x80) --last;
    after_word = is_word_character(std::string_view(piece).substr(last));
  }
  for (std::size_t at = 0; (at = first_invalid_utf8(line)) < line.size();) {
    line.replace(at, 1, "\uFFFD");
  }
  return line;
}

std::string BytePairs::text() const {
  std::string result = attn::text(kHeading, '\n', size(), '\n');
  for (int id = 0; id < size(); ++id) result += token(id) + '\n';
  for (const auto& [left, right] : merges_) result += token(left) + ' ' + token(right) + '\n';
  return result;
}

BytePairs BytePairs::parse(std::string_view contents, std::string_view where) {
  const std::vector<std::string> lines = parse_lines(contents, where);
  const auto at = [&](std::size_t line) { return attn::text(where, ", line ", line + 1, ": "); };
  ATTN_CHECK(!lines.empty() && lines[0] == kHeading, at(0), "expected '", kHeading, "'");
  const auto size = number_in<int>(lines.size() > 1 ? lines[1] : "").value_or(0);
  ATTN_CHECK(size >= kFirstCharacter, at(1), "expected the number of tokens, at least ",
             kFirstCharacter);
  const std::size_t tokens_end = static_cast<std::size_t>(size) + 2;
  ATTN_CHECK(lines.size() >= tokens_end, where, ": has ", lines.size() - 2, " of ", size,
             " tokens; the file is cut short");

  BytePairs result;
  std::size_t line = 2;
  for (; line < static_cast<std::size_t>(kFirstCharacter) + 2; ++line) {
    const std::string expected = result.token(static_cast<int>(line) - 2);
    ATTN_CHECK(lines[line] == expected, at(line), "expected ", expected);
  }
  for (; line < tokens_end; ++line) {
    const std::string symbol = unescape(lines[line], at(line));
    const std::string_view characters = std::string_view(symbol).substr(
        0, symbol.size() - (symbol.size() > 1 && symbol.back() == kEnd));
    ATTN_CHECK(!characters.empty() && first_invalid_utf8(characters) == characters.size(), at(line),
               "a token that is empty or not UTF-8");
    ATTN_CHECK(result.id_of(symbol) < 0, at(line), "the token ", lines[line], " is there twice");
    result.add(symbol);
  }
  for (; line < lines.size(); ++line) {
    const std::vector<std::string> sides = split(lines[line], ' ');
    ATTN_CHECK(sides.size() == 2, at(line),
               "expected a merge, two tokens and a space between them");
    const int left = result.id_of(unescape(sides[0], at(line)));
    const int right = result.id_of(unescape(sides[1], at(line)));
    ATTN_CHECK(left >= kFirstCharacter && right >= 0, at(line), "a merge of what is no token");
    ATTN_CHECK(result.ranks_.count(pair_key(left, right)) == 0, at(line),
               "this merge is there twice");
    result.add_merge(left, right);
    ATTN_CHECK(result.size() == size, at(line), "a merge into what is no token");
  }
  // A character needs no merge; every other token has one.
  std::vector<bool> is_made(result.tokens_.size());
  for (const auto& [key, merge] : result.ranks_)
    is_made[static_cast<std::size_t>(merge.result)] = true;
  for (std::size_t id = kFirstCharacter; id < result.tokens_.size(); ++id) {
    std::string_view symbol = result.tokens_[id];
    symbol.remove_prefix(first_character(symbol).size());
    ATTN_CHECK(is_made[id] || symbol.empty() || symbol[0] == kEnd, where,
               ": no merge makes the token ", escape(result.tokens_[id]),
               "; the file is cut short");
  }
  return result;
}

}  // namespace attn

// The tool that keeps the chapters true, seen to find every kind of drift. Each test writes a small
// repository, breaks something, and reads the report.
#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "check.h"
#include "cpp_source.h"
#include "links.h"
#include "values.h"

using listings::Definition;
using listings::Finding;
using listings::fs::path;

namespace {

const char* const kSource = R"--(// A layer.
#include "layer.h"

#define TWICE(x) \
  ((x) + (x))

namespace attn {
inline namespace v2 {
namespace {

constexpr int kTile = 8;  // not { closed

// Opens a brace in a string: "{", in a character: '{', in a raw string.
const char* text() {
  const char brace = '{';
  const char* raw = R"x(}}} " )")x";
  return brace == '{' ? raw : "}\"{";
}

}  // namespace

// y = x W
// for every row
std::vector<float> Linear::forward(const Tensor& x) const {
  // Shapes first,
  // then numbers.
  check(x);
  int a = 1'000;

  // Each row
  for (int i = 0; i < kTile; ++i) {
    first(i);

    // Inner step
    second(i);
  }
  done();

  // Last
  return {a};
}

auto Linear::backward(const Tensor& dy, const Tensor& x) -> std::vector<float> { return {}; }

Linear::Linear(int in, int out) : in_(in), weights_{in, out}, more_(std::vector<int>{1}) {
  init();
}

Linear::Linear(const Linear& other) : Linear(other.in_, 1) {}

template <class T, int N = (3 > 2)>
T& Pair<T>::operator()(T& x) {
  return x;
}

bool Linear::operator==(const Linear& other) const { return in_ == other.in_; }

}  // namespace v2
}  // namespace attn
)--";

const char* const kHeader = R"(// The layer's contract.
#pragma once

// What holds the weights.
struct Linear : Base<int> {
  // How they are written.
  enum class Write { assign, add };
  explicit Linear(int n) : n_{n} {}
  std::vector<float> forward(const Tensor& x) const;
  void (*callback)(int) = nullptr;
  int n_ = 0;
};

// A row of it.
const float* row(int i);
)";

const char* const kChapter = R"(# A chapter

<!-- listing: src/layer.cpp Linear::forward "Last" -->
```cpp
// Last
return {a};
```

<!-- output: build/cat data/values.txt -->
```
loss = 1.7320508
big: 65,123,456
```

<!-- command: values = build/cat data/values.txt -->

The loss is <!-- number: values loss -->1.73, or **<!-- number: values loss -->1.732**, of
<!-- a comment --> a table:

| kernel | speed |
|---|---|
| simd | <!-- measured: data/measurements/matmul.tsv kernel=simd size=512 gflops -->`41.2` |

See [the other](other.md#two-words-1), [it](#a-chapter "here") and [by label][label].

<!-- run -->
```sh
test -f build/made || test -d data
```

[label]: other.md
)";

class Repository {
 public:
  Repository()
      : root_(listings::fs::temp_directory_path() / ("listings-" + std::to_string(getpid()))) {
    listings::fs::remove_all(root_);
    setup_.root = root_;
    setup_.build = root_ / "build";
    setup_.work = root_ / "build/work";
    setup_.programs["cat"] = "/bin/cat";
    setup_.programs["gone"] = root_ / "build/gone";
    listings::fs::create_directories(root_ / "build");
    write("src/layer.cpp", kSource);
    write("src/layer.h", kHeader);
    write("data/values.txt", "loss = 1.7320508\nbig: 65,123,456\n");
    write("data/measurements/matmul.tsv",
          "# machine: x\nkernel\tsize\tgflops\nnaive\t512\t1.5\nsimd\t256\t39\nsimd\t512\t41.23\n");
    write("walkthrough/a.md", kChapter);
    write("walkthrough/other.md", "# Two words\n## Two `words`\n");
    write("walkthrough/page.html", "<section id=\"look\">\n");
  }
  ~Repository() { listings::fs::remove_all(root_); }

  void write(const path& name, const std::string& text) const {
    listings::fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  std::string read(const path& name) const { return listings::read_file(root_ / name); }
  void replace(const path& name, const std::string& from, const std::string& to) const {
    std::string text = read(name);
    REQUIRE(text.find(from) != std::string::npos);
    write(name, text.replace(text.find(from), from.size(), to));
  }

  // The findings as text; "" if all is well.
  std::string check(bool update = false) const {
    std::string report;
    const auto files = listings::markdown_files(root_);
    for (const Finding& finding :
         listings::check(setup_, files, {true, true, true, true}, update).findings) {
      report += finding.file + ":" + std::to_string(finding.line) + ": " + finding.message + "\n";
    }
    return report;
  }
  // The same with one chapter of this text.
  std::string check_chapter(const std::string& text) const {
    write("walkthrough/a.md", text);
    return check();
  }
  std::string select(const std::string& selector) const {
    listings::Sources sources(root_);
    try {
      return listings::join(sources.select(selector).lines, "\n");
    } catch (const listings::Error& error) {
      return std::string("error: ") + error.what();
    }
  }
  const listings::Setup& setup() const { return setup_; }

 private:
  path root_;
  listings::Setup setup_;
};

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  INFO(part);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_SUITE("walkthrough") {
  TEST_CASE("a chapter that is true passes, and update leaves it alone") {
    const Repository repository;
    CHECK(repository.check() == "");
    CHECK(repository.check(true) == "");
    CHECK(repository.read("walkthrough/a.md") == kChapter);
    CHECK(repository.check_chapter("Nothing to see.") == "");
    CHECK(repository.check_chapter("") == "");
  }

  TEST_CASE("a chapter in a folder of its own is checked, and its paths begin in that folder") {
    const Repository repository;
    repository.write("walkthrough/map.md", "It takes <!-- minutes: grow/README.md -->5 minutes.\n");
    repository.write("walkthrough/grow/README.md", "# Grow\n[There](../a.md), [gone](a.md)\n");
    CHECK(repository.check() ==
          "walkthrough/grow/README.md:2: dead link a.md: there is no walkthrough/grow/a.md\n");
    repository.write("walkthrough/grow/README.md",
                     "<!-- listing: src/layer.cpp Linear::forward \"Last\" -->\n```cpp\n```\n");
    contains(repository.check(), "walkthrough/grow/README.md:1: stale listing of src/layer.cpp");
  }

  TEST_CASE("a listing is stale when the body changes, and the report shows how") {
    const Repository repository;
    repository.replace("src/layer.cpp", "return {a};", "return {a + 1};");
    const std::string report = repository.check();
    contains(report, "walkthrough/a.md:3: stale listing of src/layer.cpp Linear::forward \"Last\"");
    contains(report, "+++ src/layer.cpp:39");
    contains(report, "- return {a};");
    contains(report, "+ return {a + 1};");
  }

  TEST_CASE("a renamed function, a reworded paragraph and a file that is gone are reported") {
    const Repository repository;
    repository.replace("src/layer.cpp", "// Last", "// At last");
    contains(repository.check(), "a.md:3: src/layer.cpp: no paragraph begins with \"Last\"");
    repository.replace("src/layer.cpp", "Linear::forward", "Linear::run");
    contains(repository.check(), "a.md:3: src/layer.cpp: it defines no 'Linear::forward'");
    repository.replace("walkthrough/a.md", "listing: src/layer.cpp", "listing: src/gone.cpp");
    contains(repository.check(), "cannot read");
  }

  TEST_CASE(
      "a paragraph that moved to another function is reported, one that moved within is not") {
    const Repository repository;
    repository.replace("src/layer.cpp", "\n  // Last\n  return {a};\n", "");
    repository.replace("src/layer.cpp", "  check(x);\n",
                       "  check(x);\n\n  // Last\n  return {a};\n\n");
    CHECK(repository.check() == "");
    repository.replace("src/layer.cpp", "\n  // Last\n  return {a};\n", "");
    repository.replace("src/layer.cpp", "  init();\n", "  // Last\n  return {a};\n");
    contains(repository.check(), "no paragraph begins with \"Last\"");
  }

  TEST_CASE("output and numbers are stale when the last digit that the text shows is wrong") {
    const Repository repository;
    repository.write("data/values.txt", "loss = 1.7330508\nbig: 65,123,456\n");
    const std::string report = repository.check();
    contains(report, "a.md:9: stale output of build/cat data/values.txt");
    contains(report, "+ loss = 1.7330508");
    contains(report,
             "a.md:17: stale number: the text says 1.732, values loss is 1.7330508, i.e. 1.733");
    CHECK(report.find("says 1.73,") == std::string::npos);

    repository.replace("data/measurements/matmul.tsv", "41.23", "41.27");
    contains(repository.check(),
             "the text says 41.2, data/measurements/matmul.tsv kernel=simd "
             "size=512 gflops is 41.27, i.e. 41.3");
  }

  TEST_CASE("one mark keeps the numbers of several cells of a table's row") {
    const Repository repository;
    const std::string mark = "<!-- measured: data/measurements/matmul.tsv naive ";
    const auto row = [&](const std::string& rest) {
      return repository.check_chapter("| a | b | c |\n|---|---|---|\n| x | " + mark + rest + "\n");
    };
    CHECK(row("size,gflops -->512 | 1.5 |") == "");
    CHECK(row("gflops,size -->**1.5** | `512` |") == "");
    contains(row("size,gflops -->512 | 1.6 |"),
             "the text says 1.6, data/measurements/matmul.tsv "
             "naive gflops is 1.5");
    contains(row("size,gflops -->512 |"), "expected a cell for each column of the mark");
    contains(row("size,gflops -->512 and 1.5"), "expected a cell for each column of the mark");
    contains(row("size,gflops -->512 | none |"), "expected a number or a code span");
  }

  TEST_CASE("a number whose command, key, row or program is missing is reported") {
    const Repository repository;
    const std::string command = "<!-- command: v = build/cat data/values.txt -->\n\n";
    const auto number = [&](const std::string& mark) {
      return repository.check_chapter(command + "It is <!-- " + mark + " -->1.5 long.\n");
    };
    contains(number("number: w loss"), "a.md:3: no <!-- command: w = … --> in this file");
    contains(number("number: v gain"), "prints no 'gain' but big, loss");
    const std::string measured = "measured: data/measurements/matmul.tsv ";
    CHECK(number(measured + "naive gflops") == "");
    contains(number(measured + "simd gflops"), "more than one row 'simd'");
    contains(number(measured + "fast gflops"), "no row 'fast'");
    contains(number(measured + "naive speed"), "no column 'speed'; there is kernel, size, gflops");
    contains(number("number: v loss -->about <!-- x"), "expected a number or a code span");
    contains(repository.check_chapter("<!-- output: build/ls -->\n```\n```\n"),
             "'ls' is none of the programs that chapters may run: cat gone");
    contains(repository.check_chapter("<!-- output: build/gone -->\n```\n```\n"),
             "does not exist: build it first");
    contains(repository.check_chapter("<!-- output: build/cat nothing -->\n```\n```\n"),
             "exits with 1\n    ");
    contains(repository.check_chapter("<!-- output: build/cat data/* -->\n```\n```\n"),
             "'*' needs a shell");
  }

  TEST_CASE("a chapter's minutes are stale when it has grown, by words or by lines of blocks") {
    const Repository repository;
    repository.write("walkthrough/map.md", "It takes <!-- minutes: long.md -->5 minutes.\n");
    const auto report = [&](int words, int lines) {
      std::string chapter = "# Title <!-- not a word -->\n\n<!-- sketch -->\n```\n";
      for (int i = 0; i < lines; ++i) chapter += "a line of five words\n";
      chapter += "```\n";
      for (int i = 0; i < words; ++i) chapter += "word\n";
      repository.write("walkthrough/long.md", chapter);
      return repository.check();
    };
    CHECK(report(0, 0) == "");
    CHECK(report(1400, 0) == "");
    contains(report(1500, 0), "map.md:1: stale number: the text says 5, long.md is 10");
    CHECK(report(1000, 20) == "");
    contains(report(1000, 36), "the text says 5, long.md is 10");
    CHECK(repository.check(true) == "");
    CHECK(repository.read("walkthrough/map.md") ==
          "It takes <!-- minutes: long.md -->10 minutes.\n");
    repository.replace("walkthrough/map.md", "long", "gone");
    contains(repository.check(), "map.md:1: cannot read");
  }

  TEST_CASE("dead links and anchors are reported, in every form a link can have") {
    const Repository repository;
    const auto link = [&](const std::string& text) {
      return repository.check_chapter(text + "\n");
    };
    contains(link("[x](gone.md)"), "a.md:1: dead link gone.md: there is no walkthrough/gone.md");
    contains(link("![x](gone.svg)"), "dead link gone.svg");
    contains(link("[![x](other.md)](gone.md)"), "dead link gone.md");
    contains(link("\n[two\nlines](gone.md)"), "a.md:2: dead link gone.md");
    contains(link("[x](other.md#two-words-2)"),
             "walkthrough/other.md has no heading '#two-words-2'");
    contains(link("[x](page.html#lok)"), "walkthrough/page.html has no element with the id 'lok'");
    contains(link("[x](../src/layer.cpp#forward)"), "only .md and .html files have places");
    CHECK(link("[x](page.html#look) [y](page.html#look?source=a%20b)") == "");
    contains(link("[x](#here)"), "walkthrough/a.md has no heading '#here'");
    contains(link("[x][y]"), "dead link [y]: no line defines the label");
    contains(link("[x][Y]\n\n[y]: gone.md"), "a.md:3: dead link gone.md");
    contains(link("[x](../src/layer.cpp#L10)"), "a link to a line drifts");
    contains(link("[x](../src/layer.cpp#L10-L12)"), "a link to a line drifts");
    contains(link("[x](../../etc)"), "it leaves the repository");
    contains(link("[x](/src)"), "write the path from this file's folder");
    contains(link("<img src=\"gone.svg\">"), "dead link gone.svg");
    CHECK(link("[x](../src) [y](https://a.b/c#L1) <a id=\"z\"></a> [z](#z) `[no](link)`") == "");
    CHECK(link("$A[i][j]$ \\[no](link) [T, d_model] and [O][o]\n\n[o]: <other.md>") == "");
    CHECK(link("<!-- sketch -->\n```\n[no](link)\n```") == "");
  }

  TEST_CASE("headings become anchors as on GitHub") {
    CHECK(listings::slug("3.2.1 Scaled Dot-Product Attention") ==
          "321-scaled-dot-product-attention");
    CHECK(listings::slug("What is `d_model`, *really*?") == "what-is-d_model-really");
    CHECK(listings::slug("[A link](x.md) – and more") == "a-link--and-more");
    CHECK(listings::slug("Über q·kᵀ / √d² × ∂L") == "über-qkᵀ--d--l");
  }

  TEST_CASE("blocks and marks that do not belong together are reported") {
    const Repository repository;
    const auto report = [&](const std::string& text) { return repository.check_chapter(text); };
    contains(report("```sh\nls\n```\n"), "a.md:1: a block of commands needs <!-- run -->");
    contains(report("<!-- sketch -->\n```sh\nls\n```\n"), "a block of commands needs");
    contains(report("<!-- takes -->\n```sh\nls\n```\n"), "'takes' says how long");
    contains(report("<!-- run -->\n```cpp\nx\n```\n"), "'run' is for ```sh blocks");
    contains(report("```cpp\nint x;\n```\n"), "a.md:1: a block needs a mark");
    contains(report("<!-- run -->\n\n```sh\nls\n```\n"), "no block begins in the line below 'run'");
    contains(report("<!-- listnig: x -->\n"), "unknown mark 'listnig:'");
    contains(report("<!-- listing x -->\n"), "write 'listing: …' with a colon");
    contains(report("<!-- sketch -->\n```\nopen\n"),
             "a.md:2: the block that begins here is not closed");
    contains(report("x <!-- open\n"), "the comment that begins here is not closed");
    contains(report("<!-- number: v x -->1 is\n"), "a mark at the beginning of a line");
    contains(report("- <!-- paper -->1 is\n"), "a mark at the beginning of a line");
    contains(report("so <!-- number: v a--b -->1 is\n"), "must not contain -- or |");
    contains(report("so $<!-- paper -->1$ is\n"), "a mark inside a formula");
    CHECK(report("```math\nx\n```\n`<!-- run -->` ``` `` <!-- run: ` -->``` \n") == "");
    CHECK(report("<!-- takes: 2 min -->\n~~~sh\nls\n~~~\n\n <!-- paper -->\n ```\n x\n ```\n") ==
          "");
  }

  TEST_CASE("a block of commands is run, and must exit with 0") {
    const Repository repository;
    const auto run = [&](const std::string& commands) {
      return repository.check_chapter("<!-- run -->\n```sh\n" + commands + "\n```\n");
    };
    CHECK(run("grep -q loss data/values.txt && touch build/made") == "");
    CHECK(listings::fs::exists(repository.setup().build / "made"));
    contains(run("echo why\nfalse\ntrue"), "a.md:1: the block exits with 1\n    why");
    // Blocks of one chapter share a folder; it begins empty.
    CHECK(run("test ! -e x; touch x\n```\n\n<!-- run -->\n```sh\ntest -e x") == "");
    CHECK(run("test ! -e x") == "");
    // Output of the command in the block above.
    CHECK(run("build/cat data/values.txt\n```\n<!-- output -->\n```\nloss = 1.7320508\n"
              "big: 65,123,456") != "");  // build/cat is no file in this build folder
  }

  TEST_CASE("a block's test program is asked whether it has such tests, and runs none") {
    const Repository repository;
    repository.write("build/tests/some", "#!/bin/sh\n[ $2 = --count ] && echo filters: $1\n");
    listings::fs::permissions(repository.setup().root / "build/tests/some",
                              listings::fs::perms::owner_all);
    const auto run = [&](const std::string& number) {
      return repository.check_chapter("<!-- run -->\n```sh\nbuild/tests/some " + number +
                                      "\n```\n");
    };
    CHECK(run("12") == "");
    contains(run("0"), "a.md:1: the block exits with 1");
  }

  TEST_CASE("output without a command is that of the block above") {
    const Repository repository;
    const std::string block = "<!-- takes: 1 s -->\n```sh\nbuild/cat < data/values.txt\n```\n";
    const std::string output = "<!-- output -->\n```\nloss = 1.7320508\nbig: 65,123,456\n```\n";
    CHECK(repository.check_chapter(block + output) == "");
    contains(repository.check_chapter(output), "needs a block of one command above it");
  }

  TEST_CASE("update repairs what is stale, keeps everything else, and has nothing to do twice") {
    const Repository repository;
    repository.replace("walkthrough/a.md", "return {a};", "return nothing;\n\nat all;");
    repository.replace("walkthrough/a.md", "loss = 1.7320508", "loss = 2");
    repository.replace("walkthrough/a.md", "-->1.732**", "-->−2.750**");
    repository.replace("walkthrough/a.md", "`41.2`", "`7.1`");
    CHECK(repository.check() != "");
    CHECK(repository.check(true) == "");
    CHECK(repository.read("walkthrough/a.md") == kChapter);
    CHECK(repository.check(true) == "");
    CHECK(repository.read("walkthrough/a.md") == kChapter);
  }

  TEST_CASE("update repairs what it can and reports the rest") {
    const Repository repository;
    repository.replace("walkthrough/a.md", "return {a};", "return;");
    repository.replace("walkthrough/a.md", "(other.md#", "(another.md#");
    contains(repository.check(true), "there is no walkthrough/another.md");
    contains(repository.read("walkthrough/a.md"), "// Last\nreturn {a};\n```");
    // A line that would end the block: nothing is written.
    const std::string fence = "<!-- listing: data/values.txt -->\n```\nx\n```\n";
    repository.write("data/values.txt", "a\n```\nb\n");
    repository.write("walkthrough/a.md", fence);
    contains(repository.check(true), "give the block a longer fence");
    CHECK(repository.read("walkthrough/a.md") == fence);
  }

  TEST_CASE("source that is printed twice is reported with both places, a few lines are not") {
    const Repository repository;
    const auto listing = [](const std::string& selector) {
      return "<!-- listing: " + selector + " -->\n```\n```\n\n";
    };
    // What is left when the blocks have been filled in.
    const auto report = [&](const std::string& chapter, const std::string& other) {
      repository.write("walkthrough/a.md", chapter);
      repository.write("walkthrough/other.md", "\n\n" + other);
      return repository.check(true);
    };
    const std::string forward = "src/layer.cpp Linear::forward";
    const std::string row = listing(forward + " \"Each row\"");
    const std::string twice = "printed twice: 6 lines of src/layer.cpp are here and at ";
    contains(report(listing(forward), row), "other.md:3: " + twice + "walkthrough/a.md:1;");
    contains(report(row, listing(forward)), "other.md:3: " + twice + "walkthrough/a.md:1;");
    contains(report(row + row, ""), "walkthrough/a.md:5: " + twice + "walkthrough/a.md:1;");
    CHECK(report(listing(forward), listing(forward + " \"Last\"")) == "");
    CHECK(report(row, listing("src/layer.h Linear")) == "");

    // Most of a listing, not half of it; empty lines and brackets do not count.
    const std::string half = "a\n1\n2\n3\n{\n\nb\n1\n2\n3\n\nc\n1\n2\n3\n";
    const std::string ab = listing("data/x.txt \"a\" \"b\"");
    const std::string ac = listing("data/x.txt \"a\" \"c\"");
    repository.write("data/x.txt", half);
    CHECK(report(ab, ac) == "");
    repository.replace("data/x.txt", "{", "4");
    contains(report(ab, ac), "printed twice: 5 lines of data/x.txt are here and at");
  }

  TEST_CASE("line ends, indentation and UTF-8 survive an update") {
    const Repository repository;
    const auto chapter = [](const std::string& lines) {
      return "\xEF\xBB\xBF# Größe\r\n\r\n- [ok](#größe)\r\n  <!-- listing: src/layer.cpp \"y = x "
             "W\" -->\r\n"
             "  ~~~cpp\r\n" +
             lines + "  ~~~\r\n\r\n→ end";
    };
    repository.write("src/layer.cpp", "// y = x W\r\n// more\r\nfloat root();\r\n\r\nint x;\r\n");
    repository.write("walkthrough/a.md", chapter("  // old\r\n\r\n"));
    contains(repository.check(), "stale listing");
    CHECK(repository.check(true) == "");
    CHECK(repository.read("walkthrough/a.md") ==
          chapter("  // y = x W\r\n  // more\r\n  float root();\r\n"));
    CHECK(repository.check() == "");
  }

  TEST_CASE("definitions are found by name, overloads by a part of their parameters") {
    const Repository repository;
    const std::string cpp = "src/layer.cpp ", header = "src/layer.h ";
    CHECK(repository.select(cpp + "opening-comment") == "// A layer.");
    CHECK(repository.select(cpp + "TWICE") == "#define TWICE(x) \\\n  ((x) + (x))");
    CHECK(repository.select(cpp + "kTile") == "constexpr int kTile = 8;  // not { closed");
    contains(repository.select(cpp + "text"), "// Opens a brace");
    contains(repository.select(cpp + "attn::v2::text"), "\"}\\\"{\";\n}");
    contains(repository.select(cpp + "forward"), "// y = x W\n// for every row\nstd::vector");
    contains(repository.select(cpp + "Linear::backward"), "return {}; }");
    contains(repository.select(cpp + "Linear::Linear(int in, int out)"), "{\n  init();\n}");
    contains(repository.select(cpp + "Linear::Linear(const Linear& other)"),
             "Linear(other.in_, 1) {}");
    contains(repository.select(cpp + "Pair::operator()"), "template <class T, int N = (3 > 2)>\n");
    contains(repository.select(cpp + "Linear::operator=="), "return in_ == other.in_; }");
    contains(repository.select(header + "Linear"), "// What holds the weights.\nstruct Linear");
    CHECK(repository.select(header + "Write") ==
          "// How they are written.\nenum class Write { assign, add };");
    CHECK(repository.select(header + "row") == "// A row of it.\nconst float* row(int i);");
    CHECK(repository.select(header + "callback") == "void (*callback)(int) = nullptr;");
    CHECK(repository.select("data/values.txt") == "loss = 1.7320508\nbig: 65,123,456");

    const std::string ambiguous = repository.select(cpp + "Linear::Linear");
    contains(ambiguous, "error: src/layer.cpp: 'Linear::Linear' is ambiguous");
    contains(ambiguous, "Linear::Linear(const Linear& other) in line 49");
    contains(ambiguous, "Linear::Linear(int in, int out) in line 45");
    contains(repository.select(cpp + "Linear"),
             "it defines no 'Linear'; there is\n      Linear::Linear(");
    contains(repository.select(cpp + "Linear::Linear(double)"),
             "it defines no 'Linear::Linear(double)'; ");
    contains(repository.select(cpp + "init"), "error: src/layer.cpp: it defines no 'init'");
    contains(repository.select(cpp + "text \"a"), "expected \"the first words of a paragraph\"");
    contains(repository.select(cpp + "Linear::Linear(int"), "is not closed");
    contains(repository.select("../x.cpp f"), "expected a path from the repository's root");
    contains(repository.select("data/values.txt loss"), "it is not C++");
    contains(repository.select(header + "opening-comment"), "// The layer's contract.");
  }

  TEST_CASE("a paragraph ends at a blank line of its own block, or with the block") {
    const Repository repository;
    const std::string forward = "src/layer.cpp Linear::forward ";
    CHECK(repository.select(forward + "\"Shapes first, then\"") ==
          "// Shapes first,\n// then numbers.\ncheck(x);\nint a = 1'000;");
    CHECK(repository.select(forward + "\"Inner step\"") == "// Inner step\nsecond(i);");
    CHECK(repository.select(forward + "\"Each row\"") ==
          "// Each row\nfor (int i = 0; i < kTile; ++i) {\n  first(i);\n\n  // Inner step\n"
          "  second(i);\n}\ndone();");
    CHECK(repository.select(forward + "\"Inner\" \"Last\"") ==
          "  // Inner step\n  second(i);\n\n// Last\nreturn {a};");
    contains(repository.select(forward + "\"y = x W\""), "no paragraph begins with");
    repository.replace("src/layer.cpp", "// Inner", "// Each inner");
    contains(repository.select(forward + "\"Each\""),
             "more than one paragraph begins with \"Each\"");
    CHECK(repository.select("data/values.txt \"big\"") == "big: 65,123,456");
  }

  TEST_CASE("source that cannot be understood is an error, not a wrong listing") {
    const Repository repository;
    const auto error = [&](const std::string& source) {
      repository.write("src/bad.cpp", source);
      return repository.select("src/bad.cpp f");
    };
    contains(error("void f() {\n  x(;\n}\n"), "has no partner");
    contains(error("void f() {\n"), "the { in line 1 has no partner");
    contains(error("int x;\n/* void f() {}\n"), "the comment in line 2 is not closed");
    contains(error("auto x = \"abc\nvoid f() {}\n"), "the string in line 1 is not closed");
    contains(error("// void f() {}\nauto s = R\"(void f() {})\";\n"), "it defines no 'f'");
    contains(error("#define G void f() \\\n  {}\n"), "it defines no 'f'");
    contains(error(""), "it defines no 'f'");
  }

  TEST_CASE("a number agrees with a value at the digits it shows") {
    using listings::agrees;
    using listings::written_like;
    CHECK(agrees("1.7321", "1.7320508"));
    CHECK_FALSE(agrees("1.7320", "1.7320508"));
    CHECK(agrees("2", "1.7320508"));
    CHECK(agrees("0.13", "0.125"));
    CHECK(agrees("65,123,456", "65123456"));
    CHECK_FALSE(agrees("65,123,457", "65123456"));
    CHECK(agrees("−1.5", "-1.5 nats"));
    CHECK(agrees("2.3e-7", "2.34e-07"));
    CHECK_FALSE(agrees("2.4e-7", "2.34e-07"));
    CHECK(agrees("28.4", "28.4%"));
    CHECK(agrees("yes", "yes"));
    CHECK_FALSE(agrees("1.0", "1.0a"));
    CHECK_FALSE(agrees("1.0", "nan"));
    CHECK(written_like("1.0000", "1.7320508") == "1.7321");
    CHECK(written_like("1,000", "65123456") == "65,123,456");
    CHECK(written_like("1,000", "-123") == "-123");
    CHECK(written_like("−1.0", "-2") == "−2.0");
    CHECK(written_like("+1.0", "2") == "+2.0");
    CHECK(written_like("1e-3", "2.34e-07") == "2e-7");
    CHECK(written_like("1.5", "-0.01") == "0.0");
  }

  TEST_CASE("values are read from lines and from JSON") {
    listings::Values lines =
        listings::values_of("a b = 1\nc\t2\n total  3 parts\nplain\na b = 4\n");
    CHECK(lines["a b"] == std::vector<std::string>{"1", "4"});
    CHECK(lines["c"][0] == "2");
    CHECK(lines["total"][0] == "3 parts");
    CHECK(lines.size() == 3);
    listings::Values json = listings::values_of(R"({"a.b": [[1, -2e-3], []], "c": {"d": "x\"y"}})");
    CHECK(json["a.b[0][1]"][0] == "-2e-3");
    CHECK(json["c.d"][0] == "x\"y");
    CHECK(json.size() == 3);
    CHECK_THROWS(listings::values_of("{\"a\": }"));
    CHECK_THROWS(listings::values_of("[1, 2"));
  }
}

// Files that are read or written completely or not at all. Every error is thrown as attn::Error and
// names the file, the system's reason and what can be done about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

// A file that is read from its beginning to its end.
class InputFile {
 public:
  enum class Kind { file, file_or_stream };  // a stream: a pipe or a device
  // Throws if there is no such file, it is of no such kind or it may not be read.
  explicit InputFile(std::string path, Kind kind = Kind::file);
  // A file that is in memory already, for as long as this lives. `name` is for messages.
  InputFile(std::string name, std::string_view contents)
      : path_(std::move(name)), contents_(contents) {}
  // Reads the next `bytes` bytes, fewer only where the file ends, and returns how many.
  std::size_t read(void* data, std::size_t bytes);
  // The bytes of the whole file.
  std::uint64_t size() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  FileHandle file_;            // null if it is in memory:
  std::string_view contents_;  // what is still to be read
};

// Whether there is a file or directory; false also if that cannot be found out.
bool exists(const std::string& path);
// Whether there is none. What cannot be looked at may be there: reading it says why not.
bool is_missing(const std::string& path);

// What the temporary of this name becomes when it is complete (write_file); any other name itself.
std::string target_of(const std::string& name);
// Removes temporaries that killed processes left in a folder, of one target or of all, as far as it
// can: those that nobody has locked, or written to in the last ten minutes.
void remove_leftovers(const std::string& folder, const std::string& target = "");

// The file that writing to `path` replaces: symbolic links are followed, even to nothing. Throws if
// it is a directory, a device, an open stream or read-only.
std::string written_path(const std::string& path);

// Everything in a file. Throws if it would take more memory than there is.
std::string read_file(const std::string& path);

// Writes the parts in turn to a temporary, TARGET.tmp- and 16 random hexadecimal digits, which
// becomes the target when complete; if anything goes wrong, the target is unchanged and the
// temporary removed. Follows symbolic links; removes what killed processes left of the target.
// `check` is called last, and what it throws counts as going wrong.
void write_file(const std::string& path, const std::vector<std::string_view>& parts,
                const std::function<void()>& check = {});
void write_file(const std::string& path, std::string_view contents);

// Locks a file, created if missing, until the result is destroyed or the process ends. Null if it
// is already locked; throws if it cannot be created or is not a file.
std::shared_ptr<void> lock_file(const std::string& path);

// Makes a directory and those above it that are missing. Throws if a file is in the way.
void make_directories(const std::string& path);

}  // namespace attn

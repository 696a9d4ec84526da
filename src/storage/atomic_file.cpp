// Write to a temporary, sync it, rename it over the target, sync the directory: whenever the
// machine stops, the target holds everything from before or everything from after.
#include "storage/atomic_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// "No space left on device; free some space and try again"
std::string explain(int reason) {
  const bool forbidden = reason == EACCES || reason == EPERM || reason == EROFS;
  return std::generic_category().message(reason) +
         (reason == ENOENT    ? "; is the path right?"
          : reason == EISDIR  ? "; name a file in it instead"
          : reason == ENOTDIR ? "; a part of the path is a file"
          : reason == ENOSPC  ? "; free some space and try again"
          : reason == EFBIG   ? "; allow larger files (ulimit -f) and try again"
          : forbidden         ? "; change its permissions or use another place"
                              : "");
}

std::string directory_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

constexpr const char* kTemporary = ".tmp-";  // and, at random, so many of these digits:
constexpr const char* kHexDigits = "0123456789abcdef";
constexpr std::size_t kRandomDigits = 16;

}  // namespace

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_missing(const std::string& path) {
  std::error_code ignored;
  return fs::status(path, ignored).type() == fs::file_type::not_found;
}

std::string target_of(const std::string& name) {
  const std::size_t end = name.rfind(kTemporary);
  const std::size_t random = name.find_last_not_of(kHexDigits) + 1;
  if (end == name.npos || random != end + std::strlen(kTemporary)) return name;
  return name.size() - random == kRandomDigits ? name.substr(0, end) : name;
}

void remove_leftovers(const std::string& folder, const std::string& target) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown;
    if (target_of(name) == name || (!target.empty() && target_of(name) != target)) continue;
    if (!fs::is_regular_file(entry->symlink_status(unknown))) continue;
    const auto age = fs::file_time_type::clock::now() - entry->last_write_time(unknown);
    if (unknown || age < std::chrono::minutes(10)) continue;
    const std::string leftover = entry->path().string();
    if (platform::lock_file(leftover) != nullptr) std::remove(leftover.c_str());
  }
}

std::string written_path(const std::string& path) {
  ATTN_CHECK(!path.empty(), "cannot write a file without a name");
  std::error_code ignored, reason;
  const fs::file_status status = fs::status(path, reason);
  ATTN_CHECK(!fs::is_directory(status), "cannot write ", path, ": ", explain(EISDIR));
  ATTN_CHECK(!fs::exists(status) || fs::is_regular_file(status), "cannot write ", path,
             ": it is neither a file nor missing; name a file instead");
  // Renaming would replace a file that nobody may write to.
  constexpr fs::perms kWriting =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  ATTN_CHECK(!fs::is_regular_file(status) || (status.permissions() & kWriting) != fs::perms::none,
             "cannot write ", path,
             ": it is read-only; change its permissions or use another place");
  if (!fs::is_symlink(path, ignored)) return path;
  ATTN_CHECK(fs::status_known(status), "cannot write ", path, ", a link: ", reason.message());
  // Such as /dev/stdout. Renaming would replace what the file it is open to holds.
  const std::string folder = fs::canonical(directory_of(path), ignored).string();
  ATTN_CHECK(folder.rfind("/proc/", 0) != 0, "cannot write ", path,
             ": it is a stream that is open, and may hold something; name a file instead");
  return written_path((fs::path(path).parent_path() / fs::read_symlink(path, ignored)).string());
}

InputFile::InputFile(std::string path, Kind kind) : path_(std::move(path)) {
  // Opening a directory may succeed, and only reading from it fails; a pipe lets whoever opens it
  // wait for a writer, and a device may never end.
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  ATTN_CHECK(!fs::is_directory(status), "cannot read ", path_, ": ", explain(EISDIR));
  ATTN_CHECK(kind == Kind::file_or_stream || !fs::is_other(status), "cannot read ", path_,
             ": it is a pipe or a device; name a file instead");
  file_.reset(std::fopen(path_.c_str(), "rb"));
  ATTN_CHECK(file_ != nullptr, "cannot read ", path_, ": ", explain(errno));
}

std::size_t InputFile::read(void* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  if (file_ == nullptr) {
    const std::size_t copied = contents_.copy(static_cast<char*>(data), bytes);
    contents_.remove_prefix(copied);
    return copied;
  }
  errno = 0;
  const std::size_t count = std::fread(data, 1, bytes, file_.get());
  ATTN_CHECK(!std::ferror(file_.get()), "cannot read ", path_, ": ", explain(errno));
  return count;
}

std::uint64_t InputFile::size() const {
  if (file_ == nullptr) return contents_.size();
  const std::int64_t bytes = platform::file_size(file_.get());
  ATTN_CHECK(bytes >= 0, "cannot read ", path_, ": ", explain(errno));
  return static_cast<std::uint64_t>(bytes);
}

std::string read_file(const std::string& path) {
  InputFile file(path);
  const double available = platform::available_memory();
  std::string contents;
  std::vector<char> chunk(1 << 16);
  while (const std::size_t count = file.read(chunk.data(), chunk.size())) {
    // A string that grows exists twice for a moment, the new one twice as large.
    check_memory(3 * static_cast<double>(contents.size() + count), path, "is this the right file?",
                 available);
    contents.append(chunk.data(), count);
  }
  return contents;
}

void write_file(const std::string& path, const std::vector<std::string_view>& parts,
                const std::function<void()>& check) {
  const std::string target = written_path(path);
  std::error_code unknown;  // where permissions cannot be had or set, the usual ones have to do
  const fs::file_status old = fs::status(target, unknown);
  // First, as they may fill the disk.
  remove_leftovers(directory_of(target), fs::path(target).filename().string());
  std::random_device random;
  std::string temporary = target + kTemporary;
  for (std::size_t i = 0; i < kRandomDigits; ++i) temporary += kHexDigits[random() % 16];
  // Made only if it does not exist: no two processes, wherever they run, write to one temporary.
  FileHandle file(std::fopen(temporary.c_str(), platform::new_file_mode));
  ATTN_CHECK(file != nullptr, "cannot write ", target, ": cannot create ", temporary, ": ",
             explain(errno));
  // The new file is no more public than the old one was, and not another's.
  if (fs::is_regular_file(old)) {
    fs::permissions(temporary, old.permissions(), unknown);
    platform::take_owner(file.get(), target);
  }
  std::shared_ptr<void> lock = platform::lock_file(temporary);
  const auto remove_temporary = [&] {
    file.reset();
    lock.reset();
    std::remove(temporary.c_str());
  };
  const auto give_up = [&](const char* doing) {
    const int reason = errno;
    remove_temporary();
    fail("cannot write ", target, ": ", doing, " ", temporary, ": ", explain(reason));
  };

  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    errno = 0;
    if (std::fwrite(part.data(), 1, part.size(), file.get()) != part.size()) give_up("writing");
  }
  if (std::fflush(file.get()) != 0) give_up("writing");
  if (!platform::sync_file(file.get())) give_up("syncing");
  if (std::fclose(file.release()) != 0) give_up("closing");
  try {
    if (check) check();
  } catch (...) {
    remove_temporary();
    throw;
  }
  lock.reset();  // some systems rename no file that is open
  if (!platform::replace_file(temporary, target)) give_up("renaming");
  ATTN_CHECK(platform::sync_directory(directory_of(target)), "wrote ", target,
             ", but cannot sync its directory: ", explain(errno));
}

void write_file(const std::string& path, std::string_view contents) {
  write_file(path, std::vector<std::string_view>{contents});
}

std::shared_ptr<void> lock_file(const std::string& path) {
  std::shared_ptr<void> lock = platform::lock_file(written_path(path));
  const int reason = errno;
  ATTN_CHECK(lock != nullptr || reason == EWOULDBLOCK, "cannot write ", path, ": ",
             explain(reason));
  return lock;
}

void make_directories(const std::string& path) {
  ATTN_CHECK(!path.empty(), "cannot make a directory without a name");
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && fs::is_directory(path, error)) return;
  // Say which part is in the way.
  fs::path part;
  for (const fs::path& name : fs::path(path)) {
    part /= name;
    std::error_code ignored;
    const fs::file_status status = fs::status(part, ignored);
    ATTN_CHECK(!fs::exists(status) || fs::is_directory(status), "cannot make the directory ", path,
               ": ", part.string(), " is a file; move it or choose another name");
    ATTN_CHECK(fs::exists(status) || !fs::is_symlink(part, ignored), "cannot make the directory ",
               path, ": ", part.string(), " is a link to nothing; is a disk not mounted?");
  }
  fail("cannot make the directory ", path, ": ", error ? error.message() : "it is not there");
}

}  // namespace attn

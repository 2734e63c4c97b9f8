//===- Files.cpp - Whole files in and out -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partita {
namespace {
absl::Status makeError(const char *action, const std::string &path, int code) {
  std::string text = std::string("cannot ") + action + " '" + path + "'";
  // ErrnoToStatus says itself what the number means.
  return code == ENOENT ? absl::NotFoundError(text + ": " + strerror(code))
                        : absl::ErrnoToStatus(code, text);
}

class Descriptor {
public:
  explicit Descriptor(int theFd) : fd(theFd) {}
  ~Descriptor() {
    if (fd >= 0)
      close(fd);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return fd; }

private:
  int fd;
};

/// Returns 0 or an error number.
int writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

int writePieces(int fd, const std::vector<std::string_view> &pieces) {
  for (std::string_view piece : pieces)
    if (int code = writeAll(fd, piece))
      return code;
  return 0;
}

absl::Status writeInPlace(const std::string &path,
                          const std::vector<std::string_view> &pieces) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  int code = file.get() < 0 ? errno : writePieces(file.get(), pieces);
  return code ? makeError("write", path, code) : absl::OkStatus();
}
} // namespace

absl::StatusOr<std::string> readFile(const std::string &path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return makeError("read", path, errno);
  struct stat info;
  std::string contents;
  if (fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode))
    contents.reserve(static_cast<size_t>(info.st_size) + 1);
  for (size_t size = 0;;) {
    size_t room = contents.capacity() - size;
    if (room == 0)
      room = std::max<size_t>(size, 1 << 16);
    contents.resize(size + room);
    ssize_t n = read(file.get(), contents.data() + size, room);
    int code = errno;
    contents.resize(size + (n > 0 ? static_cast<size_t>(n) : 0));
    size = contents.size();
    if (n == 0)
      return contents;
    if (n < 0 && code != EINTR)
      return makeError("read", path, code);
  }
}

absl::Status writeFile(const std::string &path,
                       const std::vector<std::string_view> &pieces) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return writeInPlace(path, pieces);
  std::string temporary = path + ".XXXXXX";
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0)
    return makeError("write", path, errno);
  int code = writePieces(file.get(), pieces);
  // mkostemp makes private files; give this one the usual permissions.
  mode_t mask = umask(0);
  umask(mask);
  if (!code && fchmod(file.get(), 0666 & ~mask))
    code = errno;
  if (!code && rename(temporary.c_str(), path.c_str()))
    code = errno;
  if (!code)
    return absl::OkStatus();
  unlink(temporary.c_str());
  return makeError("write", path, code);
}

} // namespace partita

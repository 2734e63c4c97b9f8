//===- Npz.cpp - NumPy array files ------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Npz.h"

#include "support/Files.h"
#include "support/StatusMacros.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <zip.h>

namespace partita {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy aligns the data to this.
constexpr size_t kAlignment = 64;

absl::Status dataLoss(const std::string &name, const std::string &what) {
  return absl::DataLossError("cannot read " + name + ": " + what);
}
absl::Status unsupported(const std::string &name, const std::string &what) {
  return absl::InvalidArgumentError("cannot read " + name + ": " + what);
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// NumPy's name of a kind ("f4"), without the byte order.
struct Kind {
  char letter;
  int64_t bytes;
  friend bool operator==(const Kind &, const Kind &) = default;
};

/// Whether the type is stored as raw bits because NumPy lacks it.
bool isRaw(DType type) {
  switch (type) {
  case DType::F16:
  case DType::F32:
  case DType::F64:
  case DType::Pred:
    return false;
  default:
    return isFloat(type) || getBitWidth(type) < 8;
  }
}

Kind getKind(DType type) {
  char letter = 'u';
  if (type == DType::Pred)
    letter = 'b';
  else if (isComplex(type))
    letter = 'c';
  else if (isFloat(type) && !isRaw(type))
    letter = 'f';
  else if (isSignedInt(type) && !isRaw(type))
    letter = 'i';
  return {letter, getByteWidth(type)};
}

std::optional<DType> findType(Kind kind) {
  for (int i = 0; i < kNumDTypes; ++i) {
    auto type = static_cast<DType>(i);
    if (!isRaw(type) && getKind(type) == kind)
      return type;
  }
  return std::nullopt;
}

bool isStoredAs(DType type, Kind kind) {
  if (!isRaw(type))
    return getKind(type) == kind;
  return kind.bytes == getByteWidth(type) &&
         (kind.letter == 'u' || kind.letter == 'i' || kind.letter == 'V');
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

struct Header {
  Kind kind = {'f', 4};
  std::string descr;
  bool isSwapped = false;
  bool isFortran = false;
  Shape shape;
};

/// Reads the Python dictionary in front of the data:
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
public:
  explicit HeaderParser(std::string_view theText) : text(theText) {}

  bool parse(Header &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!eat('{'))
      return false;
    while (!eat('}')) {
      std::string key;
      if (!parseString(key) || !eat(':'))
        return false;
      bool isGood = false;
      if (key == "descr")
        isGood = hasDescr = parseDescr(header.descr);
      else if (key == "fortran_order")
        isGood = hasOrder = parseBool(header.isFortran);
      else if (key == "shape")
        isGood = hasShape = parseShape(header.shape);
      if (!isGood)
        return false;
      if (!eat(',') && peek() != '}')
        return false;
    }
    return hasDescr && hasOrder && hasShape && peek() == 0;
  }

private:
  char peek() {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\n'))
      text.remove_prefix(1);
    return text.empty() ? 0 : text[0];
  }
  bool eat(char c) {
    if (peek() != c)
      return false;
    text.remove_prefix(1);
    return true;
  }
  bool parseString(std::string &out) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text.find(quote, 1);
    if (end == text.npos)
      return false;
    out = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
  }
  /// A string, or the list that describes a structure, kept as it is written.
  bool parseDescr(std::string &out) {
    if (peek() != '[')
      return parseString(out);
    size_t end = text.find(']');
    if (end == text.npos)
      return false;
    out = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    return true;
  }
  bool parseBool(bool &out) {
    for (bool value : {false, true}) {
      std::string_view word = value ? "True" : "False";
      peek();
      if (text.substr(0, word.size()) != word)
        continue;
      text.remove_prefix(word.size());
      out = value;
      return true;
    }
    return false;
  }
  bool parseShape(Shape &out) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t size = 0;
      peek();
      auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), size);
      if (error != std::errc() || size < 0)
        return false;
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      out.push_back(size);
      if (!eat(',') && peek() != ')')
        return false;
    }
    return true;
  }

  std::string_view text;
};

/// Splits '<f4' into byte order and kind.
absl::Status parseDescr(Header &header, const std::string &name) {
  const std::string &descr = header.descr;
  std::string_view number =
      descr.size() > 2 ? std::string_view(descr).substr(2) : std::string_view();
  int64_t bytes = 0;
  auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), bytes);
  bool isSimple = !number.empty() && error == std::errc() &&
                  end == number.data() + number.size() &&
                  std::strchr("<>|=", descr[0]) && bytes >= 1 && bytes <= 16 &&
                  std::strchr("biufcV", descr[1]);
  if (!isSimple)
    return unsupported(
        name, "element type " + descr +
                  " has no counterpart; save numbers, booleans or raw bits");
  header.kind = {descr[1], bytes};
  header.isSwapped = descr[0] == '>';
  return absl::OkStatus();
}

/// Parses the header and removes it from `contents`.
absl::StatusOr<Header> parseHeader(std::string_view &contents,
                                   const std::string &name) {
  if (contents.substr(0, kMagic.size()) != kMagic)
    return dataLoss(name, "not a NumPy array (it does not start with "
                          "\"\\x93NUMPY\")");
  size_t fixed = kMagic.size() + 2;
  if (contents.size() < fixed + 4)
    return dataLoss(name, "truncated within the header");
  int major = static_cast<unsigned char>(contents[kMagic.size()]);
  if (major < 1 || major > 3)
    return dataLoss(name, "format version " + std::to_string(major) +
                              " is not known (1 to 3 are)");
  size_t width = major == 1 ? 2 : 4, length = 0;
  for (size_t i = 0; i < width; ++i)
    length |=
        static_cast<size_t>(static_cast<unsigned char>(contents[fixed + i]))
        << (8 * i);
  if (contents.size() - fixed - width < length)
    return dataLoss(name, "truncated within the header");
  Header header;
  std::string_view text = contents.substr(fixed + width, length);
  if (!HeaderParser(text).parse(header))
    return dataLoss(name,
                    "malformed header " + std::string(text.substr(0, 80)));
  contents.remove_prefix(fixed + width + length);
  PARTITA_RETURN_IF_ERROR(parseDescr(header, name));
  return header;
}

std::string makeHeader(const HostTensor &tensor) {
  Kind kind = getKind(tensor.getDType());
  std::string dict = "{'descr': '";
  dict += kind.bytes == 1 ? '|' : '<';
  dict += kind.letter + std::to_string(kind.bytes) +
          "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.getShape())
    dict += std::to_string(size) + ", ";
  if (tensor.getRank() > 1)
    dict.resize(dict.size() - 2);
  else if (tensor.getRank() == 1)
    dict.pop_back();
  dict += "), }";
  bool isLong = dict.size() > 0xff00;
  size_t fixed = kMagic.size() + 2 + (isLong ? 4 : 2);
  size_t total =
      (fixed + dict.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  dict.resize(total - fixed - 1, ' ');
  dict += '\n';
  std::string header(kMagic);
  header += isLong ? '\x02' : '\x01';
  header += '\0';
  for (size_t i = 0; i < (isLong ? 4u : 2u); ++i)
    header += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return header + dict;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void swapBytes(HostTensor &tensor) {
  // Both halves of a complex number are swapped by themselves.
  int64_t width = getByteWidth(tensor.getDType());
  if (isComplex(tensor.getDType()))
    width /= 2;
  std::byte *data = tensor.data();
  for (int64_t i = 0; i < tensor.getNumBytes(); i += width)
    std::reverse(data + i, data + i + width);
}

/// Copies column-major data into the row-major tensor.
void copyFortran(std::string_view data, HostTensor &tensor) {
  const Shape &shape = tensor.getShape();
  auto width = static_cast<size_t>(getByteWidth(tensor.getDType()));
  std::vector<int64_t> strides = getRowMajorStrides(shape);
  std::vector<int64_t> index(shape.size());
  int64_t at = 0;
  for (size_t i = 0; i < data.size(); i += width) {
    std::memcpy(tensor.data() + static_cast<size_t>(at) * width,
                data.data() + i, width);
    for (size_t d = 0; d < shape.size(); ++d) {
      at += strides[d];
      if (++index[d] < shape[d])
        break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

/// Brings raw bits of narrow kinds and booleans into the canonical form.
void canonicalize(HostTensor &tensor) {
  DType type = tensor.getDType();
  int bits = getBitWidth(type);
  if (bits >= 8)
    return;
  auto *data = tensor.dataAs<uint8_t>();
  for (int64_t i = 0; i < tensor.getNumBytes(); ++i)
    data[i] = type == DType::Pred ? data[i] != 0 : data[i] & ((1 << bits) - 1);
}

/// Number of elements, or -1 when it does not fit into the limit.
int64_t countElements(const Shape &shape, int64_t limit) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t n = 1;
  for (int64_t size : shape) {
    if (size > limit / n)
      return -1;
    n *= size;
  }
  return n;
}
} // namespace

absl::StatusOr<HostTensor> parseNpy(std::string_view contents,
                                    const std::string &name,
                                    std::optional<DType> expected) {
  PARTITA_ASSIGN_OR_RETURN(Header header, parseHeader(contents, name));
  std::optional<DType> type = expected ? expected : findType(header.kind);
  if (!type)
    return unsupported(name, "element type " + header.descr +
                                 " has no counterpart; save numbers, booleans "
                                 "or raw bits");
  if (!isStoredAs(*type, header.kind)) {
    Kind want = getKind(*type);
    return unsupported(name, "stored element type " + header.descr +
                                 ", expected " + std::string(getName(*type)) +
                                 " (stored as " + want.letter +
                                 std::to_string(want.bytes) + ")");
  }
  int64_t width = header.kind.bytes;
  int64_t elements = countElements(
      header.shape, static_cast<int64_t>(contents.size()) / width);
  if (elements * width != static_cast<int64_t>(contents.size()))
    return dataLoss(name, "the header's shape does not match the " +
                              std::to_string(contents.size()) +
                              " bytes of data behind it");
  HostTensor tensor(*type, header.shape);
  if (header.isFortran && header.shape.size() > 1)
    copyFortran(contents, tensor);
  else if (!contents.empty())
    std::memcpy(tensor.data(), contents.data(), contents.size());
  if (header.isSwapped)
    swapBytes(tensor);
  canonicalize(tensor);
  return tensor;
}

absl::StatusOr<HostTensor> readNpy(const std::string &path,
                                   std::optional<DType> expected) {
  PARTITA_ASSIGN_OR_RETURN(std::string contents, readFile(path));
  return parseNpy(contents, "'" + path + "'", expected);
}

static std::string_view getBytes(const HostTensor &tensor) {
  return {reinterpret_cast<const char *>(tensor.data()),
          static_cast<size_t>(tensor.getNumBytes())};
}

absl::Status writeNpy(const std::string &path, const HostTensor &tensor) {
  std::string header = makeHeader(tensor);
  return writeFile(path, {header, getBytes(tensor)});
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

namespace {
std::string getMessage(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}
struct Discard {
  void operator()(zip_t *archive) const { zip_discard(archive); }
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
} // namespace

struct NpzReader::State {
  std::string path;
  std::unique_ptr<zip_t, Discard> archive;
  std::vector<std::string> names;
  /// Index in the archive of each name.
  std::vector<zip_uint64_t> indices;
};

NpzReader::NpzReader(std::unique_ptr<State> theState)
    : state(std::move(theState)) {}
NpzReader::NpzReader(NpzReader &&) noexcept = default;
NpzReader &NpzReader::operator=(NpzReader &&) noexcept = default;
NpzReader::~NpzReader() = default;

absl::StatusOr<NpzReader> NpzReader::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  int code = 0;
  state->archive.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (!state->archive) {
    std::string name = "'" + path + "'";
    if (code == ZIP_ER_NOENT)
      return absl::NotFoundError("cannot read " + name +
                                 ": no such file or directory");
    return dataLoss(name, "not a .npz archive (" + getMessage(code) + ")");
  }
  zip_t *archive = state->archive.get();
  zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    auto index = static_cast<zip_uint64_t>(i);
    const char *text = zip_get_name(archive, index, ZIP_FL_ENC_RAW);
    std::string name = text ? text : "";
    if (!name.ends_with(".npy"))
      continue;
    state->names.push_back(name.substr(0, name.size() - 4));
    state->indices.push_back(index);
  }
  return NpzReader(std::move(state));
}

const std::vector<std::string> &NpzReader::getNames() const {
  return state->names;
}
bool NpzReader::contains(std::string_view name) const {
  return std::find(state->names.begin(), state->names.end(), name) !=
         state->names.end();
}

absl::StatusOr<HostTensor>
NpzReader::read(std::string_view name, std::optional<DType> expected) const {
  std::string place =
      "member '" + std::string(name) + "' of '" + state->path + "'";
  auto it = std::find(state->names.begin(), state->names.end(), name);
  if (it == state->names.end())
    return absl::NotFoundError("cannot read " + place +
                               ": no such member (it "
                               "holds " +
                               std::to_string(state->names.size()) +
                               " arrays)");
  zip_t *archive = state->archive.get();
  zip_uint64_t index =
      state->indices[static_cast<size_t>(it - state->names.begin())];
  zip_stat_t info;
  if (zip_stat_index(archive, index, 0, &info) || !(info.valid & ZIP_STAT_SIZE))
    return dataLoss(place, zip_strerror(archive));
  std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(archive, index, 0));
  if (!file)
    return dataLoss(place, zip_strerror(archive));
  // Grown as data comes: the size that a corrupt archive claims may be absurd.
  std::string contents;
  constexpr uint64_t kPiece = 16 << 20;
  for (;;) {
    uint64_t missing = info.size - contents.size();
    size_t at = contents.size(), room = std::min(missing + 1, kPiece);
    contents.resize(at + room);
    zip_int64_t n = zip_fread(file.get(), contents.data() + at, room);
    if (n < 0)
      return dataLoss(place,
                      zip_error_strerror(zip_file_get_error(file.get())));
    contents.resize(at + static_cast<size_t>(n));
    if (n == 0)
      break;
    if (contents.size() > info.size)
      return dataLoss(place, "longer than the archive says");
  }
  if (contents.size() != info.size)
    return dataLoss(place, "truncated");
  return parseNpy(contents, place, expected);
}

absl::Status writeNpz(const std::string &path,
                      const std::vector<NamedTensor> &tensors) {
  auto fail = [&](const std::string &why) {
    return absl::UnknownError("cannot write '" + path + "': " + why);
  };
  int code = 0;
  std::unique_ptr<zip_t, Discard> archive(
      zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive)
    return fail(getMessage(code));
  std::vector<std::string> headers;
  headers.reserve(tensors.size());
  for (const auto &[name, tensor] : tensors) {
    headers.push_back(makeHeader(tensor));
    std::string_view data = getBytes(tensor);
    zip_buffer_fragment_t fragments[2] = {
        {reinterpret_cast<zip_uint8_t *>(headers.back().data()),
         headers.back().size()},
        {reinterpret_cast<zip_uint8_t *>(const_cast<char *>(data.data())),
         data.size()}};
    zip_source_t *source =
        zip_source_buffer_fragment(archive.get(), fragments, 2, 0);
    std::string member = name + ".npy";
    zip_int64_t index =
        source ? zip_file_add(archive.get(), member.c_str(), source, 0) : -1;
    if (index < 0) {
      if (source)
        zip_source_free(source);
      return fail(zip_strerror(archive.get()));
    }
    auto at = static_cast<zip_uint64_t>(index);
    // The time stamp that NumPy writes: equal arrays make equal files.
    zip_file_set_dostime(archive.get(), at, 0, 1 << 5 | 1, 0);
    zip_set_file_compression(archive.get(), at, ZIP_CM_STORE, 0);
  }
  if (tensors.empty()) {
    // libzip writes no empty archives: this is the end-of-directory record.
    std::string empty("PK\5\6", 4);
    empty.resize(22, '\0');
    return writeFile(path, {empty});
  }
  if (zip_close(archive.get()))
    return fail(zip_strerror(archive.get()));
  archive.release();
  return absl::OkStatus();
}

} // namespace partita

//===- NpzTest.cpp - NumPy array files --------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Npz.h"

#include "support/Files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <zip.h>

using namespace partita;
using testing::HasSubstr;

namespace {

class NpzTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/npzXXXXXX";
    directory = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(directory); }
  std::string at(const std::string &name) { return directory + "/" + name; }

  std::string directory;
};

HostTensor makeCounting(DType type, Shape shape) {
  HostTensor tensor(type, std::move(shape));
  auto *bytes = tensor.dataAs<uint8_t>();
  int bits = std::min(8, getBitWidth(type));
  for (int64_t i = 0; i < tensor.getNumBytes(); ++i)
    bytes[i] = static_cast<uint8_t>((7 * i + 1) & ((1 << bits) - 1));
  return tensor;
}

void expectEqual(const HostTensor &a, const HostTensor &b) {
  EXPECT_EQ(a.getDType(), b.getDType());
  EXPECT_EQ(a.getShape(), b.getShape());
  ASSERT_EQ(a.getNumBytes(), b.getNumBytes());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.getNumBytes()), 0);
}

/// A .npy file put together by hand.
std::string makeNpy(const std::string &dict, const std::string &data,
                    char major = 1) {
  std::string text = "\x93NUMPY";
  text += major;
  text += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    text += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return text + dict + data;
}

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

void expectError(const absl::Status &status, absl::StatusCode code,
                 const std::string &text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

TEST_F(NpzTest, RoundTripsEveryType) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < kNumDTypes; ++i)
    for (const Shape &shape : {Shape{}, Shape{5}, Shape{2, 3, 4}, Shape{3, 0}})
      tensors.emplace_back("a" + std::to_string(tensors.size()),
                           makeCounting(static_cast<DType>(i), shape));
  ASSERT_TRUE(writeNpz(at("all.npz"), tensors).ok());
  auto reader = NpzReader::open(at("all.npz"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  ASSERT_EQ(reader->getNames().size(), tensors.size());
  for (const auto &[name, tensor] : tensors) {
    auto read = reader->read(name, tensor.getDType());
    ASSERT_TRUE(read.ok()) << read.status();
    expectEqual(*read, tensor);
    ASSERT_TRUE(writeNpy(at("one.npy"), tensor).ok());
    read = readNpy(at("one.npy"), tensor.getDType());
    ASSERT_TRUE(read.ok()) << read.status();
    expectEqual(*read, tensor);
  }
}

TEST_F(NpzTest, EqualArraysMakeEqualFiles) {
  HostTensor tensor = makeCounting(DType::F32, {3});
  ASSERT_TRUE(writeNpz(at("a.npz"), {{"r0", tensor}}).ok());
  ASSERT_TRUE(writeNpz(at("b.npz"), {{"r0", tensor}}).ok());
  EXPECT_EQ(*readFile(at("a.npz")), *readFile(at("b.npz")));
  ASSERT_TRUE(writeNpz(at("none.npz"), {}).ok());
  EXPECT_TRUE(NpzReader::open(at("none.npz"))->getNames().empty());
}

TEST_F(NpzTest, StoredTypeDecidesWhenNoneIsExpected) {
  for (const auto &[descr, type] :
       std::vector<std::pair<std::string, DType>>{{"|b1", DType::Pred},
                                                  {"|i1", DType::S8},
                                                  {"<u2", DType::U16},
                                                  {"<f2", DType::F16},
                                                  {"=f8", DType::F64},
                                                  {"<c8", DType::C64},
                                                  {"<c16", DType::C128}}) {
    std::string dict =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,)}\n";
    auto read = parseNpy(makeNpy(dict, std::string(getByteWidth(type), '\1')),
                         "'x.npy'");
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->getDType(), type);
  }
}

TEST_F(NpzTest, ReadsRawBits) {
  auto read = [](const std::string &descr, DType type) {
    std::string dict =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,)}";
    return parseNpy(makeNpy(dict, std::string(2 * getByteWidth(type), '\xf9')),
                    "'x.npy'", type);
  };
  for (const char *descr : {"<u2", "<V2", "<i2"})
    EXPECT_EQ(read(descr, DType::BF16)->dataAs<uint16_t>()[1], 0xf9f9);
  EXPECT_EQ(read("|i1", DType::S4)->dataAs<uint8_t>()[0], 9);
  EXPECT_EQ(read("|u1", DType::F8E4M3FN)->dataAs<uint8_t>()[0], 0xf9);
}

TEST_F(NpzTest, ConvertsFortranAndForeignByteOrder) {
  std::string dict =
      "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }   \n";
  auto read =
      parseNpy(makeNpy(dict, bytesOf<int32_t>({0, 3, 1, 4, 2, 5}), 2), "'f'");
  ASSERT_TRUE(read.ok()) << read.status();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(read->dataAs<int32_t>()[i], i);

  dict = "{'descr': '>c8', 'fortran_order': False, 'shape': ()}";
  read =
      parseNpy(makeNpy(dict, std::string("\x3f\x80\0\0\x40\0\0\0", 8)), "'c'");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->dataAs<std::complex<float>>()[0],
            std::complex<float>(1.0f, 2.0f));
}

TEST_F(NpzTest, ReadsCompressedMembers) {
  std::string dict =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,)}";
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 0.0f);
  std::string member = makeNpy(dict, bytesOf(values));
  int code = 0;
  zip_t *archive = zip_open(at("c.npz").c_str(), ZIP_CREATE, &code);
  zip_source_t *source =
      zip_source_buffer(archive, member.data(), member.size(), 0);
  zip_int64_t index = zip_file_add(archive, "w.npy", source, 0);
  zip_set_file_compression(archive, index, ZIP_CM_DEFLATE, 9);
  ASSERT_EQ(zip_close(archive), 0);
  EXPECT_LT(std::filesystem::file_size(at("c.npz")), member.size());
  auto read = NpzReader::open(at("c.npz"))->read("w");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(bytesOf(values), std::string(reinterpret_cast<char *>(read->data()),
                                         read->getNumBytes()));
}

TEST_F(NpzTest, NamesWhatIsMissing) {
  expectError(NpzReader::open(at("no.npz")).status(),
              absl::StatusCode::kNotFound,
              "no.npz': no such file or directory");
  expectError(readNpy(at("no.npy")).status(), absl::StatusCode::kNotFound,
              "no.npy'");
  ASSERT_TRUE(writeNpz(at("a.npz"), {{"a0", HostTensor(DType::F32, {})}}).ok());
  expectError(NpzReader::open(at("a.npz"))->read("a1").status(),
              absl::StatusCode::kNotFound,
              ": no such member (it holds 1 arrays)");
}

TEST_F(NpzTest, NamesTheTypesThatDiffer) {
  ASSERT_TRUE(
      writeNpz(at("a.npz"), {{"a0", HostTensor(DType::F64, {2})}}).ok());
  expectError(NpzReader::open(at("a.npz"))->read("a0", DType::F32).status(),
              absl::StatusCode::kInvalidArgument,
              "stored element type <f8, expected f32 (stored as f4)");
}

TEST_F(NpzTest, RejectsMalformedArrays) {
  auto expect = [](const std::string &text, absl::StatusCode code,
                   const std::string &message) {
    expectError(parseNpy(text, "'x.npy'").status(), code, message);
  };
  auto lost = absl::StatusCode::kDataLoss;
  auto invalid = absl::StatusCode::kInvalidArgument;
  std::string order = "'fortran_order': False, ";
  expect("hello", lost, "not a NumPy array");
  expect("\x93NUMPY", lost, "truncated within the header");
  expect(makeNpy("{}", "", 9), lost, "format version 9");
  expect(makeNpy("{}", ""), lost, "malformed header");
  expect(makeNpy("{'descr': '<f4', " + order + "'shape': (-1,)}", ""), lost,
         "malformed header");
  expect(makeNpy("{'descr': '<f4', " + order + "'shape': (2,)}", "1234"), lost,
         "does not match the 4 bytes");
  expect(makeNpy("{'descr': '<f4', " + order +
                     "'shape': (4611686018427387904, 4)}",
                 ""),
         lost, "does not match the 0 bytes");
  expect(makeNpy("{'descr': '|O', " + order + "'shape': (2,)}", ""), invalid,
         "element type |O has no counterpart");
  expect(makeNpy("{'descr': '<f16', " + order + "'shape': ()}", ""), invalid,
         "element type <f16 has no counterpart");
  expect(makeNpy("{'descr': [('a', '<f4')], " + order + "'shape': ()}", ""),
         invalid, "element type [('a', '<f4')] has no counterpart");
}

TEST_F(NpzTest, SurvivesDamagedArchives) {
  std::vector<NamedTensor> tensors = {{"a0", makeCounting(DType::F32, {17})},
                                      {"a1", makeCounting(DType::S4, {3, 5})}};
  ASSERT_TRUE(writeNpz(at("a.npz"), tensors).ok());
  std::string good = *readFile(at("a.npz"));
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    if (i % 2)
      bad.resize(random() % good.size());
    else
      bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
    ASSERT_TRUE(writeFile(at("b.npz"), {bad}).ok());
    auto reader = NpzReader::open(at("b.npz"));
    if (!reader.ok()) {
      EXPECT_THAT(std::string(reader.status().message()), HasSubstr("b.npz'"));
      continue;
    }
    for (const auto &[name, tensor] : tensors) {
      auto read = reader->read(name, tensor.getDType());
      if (read.ok())
        expectEqual(*read, tensor);
      else
        EXPECT_THAT(std::string(read.status().message()), HasSubstr("b.npz'"));
    }
  }
}

TEST_F(NpzTest, LeavesNoPartOfAFile) {
  HostTensor tensor(DType::F32, {4});
  for (const absl::Status &status :
       {writeNpz(at("no/a.npz"), {{"a0", tensor}}),
        writeNpy(at("no/a.npy"), tensor),
        writeNpz(at("a.npz"), {{"a0", tensor}, {"a0", tensor}})})
    EXPECT_THAT(std::string(status.message()), HasSubstr("cannot write '"));
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

} // namespace

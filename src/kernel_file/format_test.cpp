// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digests, and files as bytes: what is written is read again, and what is not right is refused.
#include "kernel_file/format.h"

#include "diagnostics/diagnostic.h"
#include "kernel_file/sha256.h"
#include "sim/program_builder.h"

#include <gtest/gtest.h>

namespace asc::kernel_file {
namespace {

std::string hex(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) text += "0123456789abcdef"[byte >> 4], text += "0123456789abcdef"[byte & 15];
  return text;
}

// The examples of FIPS 180-4.
TEST(Sha256, known_digests) {
  EXPECT_EQ(hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256({"abc"})), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256({"abcdbcdecdefdefgefghfghighijhi", "jkijkljklmklmnlmnomnopnopq"})),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256({std::string(1'000'000, 'a')})), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, parts_do_not_matter) {
  const std::string text(300, 'x');
  const std::string_view all = text;
  for (size_t cut = 0; cut <= text.size(); ++cut) EXPECT_EQ(sha256({all.substr(0, cut), all.substr(cut)}), sha256({all}));
}

template <class Fn> std::string code_of(Fn &&fn) {
  try {
    fn();
  } catch (const DiagnosticError &error) {
    return error.diagnostics[0].code;
  }
  return "";
}

TEST(KernelFile, every_changed_byte_is_noticed) {
  const std::string file = attach("runner", "payload");
  EXPECT_EQ(detach(file), "payload");
  for (size_t i = 0; i < file.size(); ++i) {
    std::string changed = file;
    changed[i] ^= 1;
    EXPECT_EQ(code_of([&] { detach(changed); }), "C301") << i;
    EXPECT_EQ(code_of([&] { detach(file.substr(0, i)); }), "C301") << i;
  }
}

std::string program(DType dtype) {
  sim::ProgramBuilder b;
  b.array("x", dtype, true, false), b.array("y", dtype, false, true), b.scalar("n", DType::Int32);
  return asc::encode(b.build());
}

KernelFile example() {
  KernelFile file;
  file.name = "example", file.summary = "y = x", file.producer = "test", file.cores = 3;
  file.parameters = {{"x", Role::Input, DType::Float32, true, {{"row"}, {"", 4}}},
                     {"y", Role::Output, DType::Float32, true, {{"row"}}},
                     {"n", Role::Scalar, DType::Int32, false, {}, "row"},
                     {"alpha", Role::Scalar, DType::Float32, false, {}, "", 7}};
  file.steps = {{program(DType::Float32), "cores", {"x", "y", "n"}, true}, {program(DType::Float32), "cores", {"x", "y", "n"}}};
  return file;
}

TEST(KernelFile, what_is_written_is_read) {
  const std::string payload = encode(example());
  const Loaded loaded = load(payload);
  EXPECT_EQ(encode(loaded.file), payload);
  EXPECT_EQ(loaded.program().name, "test");
  EXPECT_TRUE(loaded.file.steps[0].data_cache && !loaded.file.steps[1].data_cache);
  EXPECT_EQ(loaded.all_cores(), 48u);
  EXPECT_EQ(loaded.file.dimensions(), std::vector<std::string>{"row"});
}

TEST(KernelFile, every_cut_is_noticed) {
  const std::string payload = encode(example());
  for (size_t i = 0; i < payload.size(); ++i) EXPECT_EQ(code_of([&] { load(payload.substr(0, i)); }), "C301") << i;
  EXPECT_EQ(code_of([&] { load(payload + "x"); }), "C301");
  std::string other = payload;
  other[0] = 9;
  EXPECT_EQ(code_of([&] { load(other); }), "C102");
}

TEST(KernelFile, contradictions_are_refused) {
  const auto refused = [](auto &&change) {
    KernelFile file = example();
    change(file);
    return code_of([&] { load(encode(file)); }) == "C301";
  };
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].name = "y"; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].name = ""; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].dtype = DType::Void; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].dtype = DType::Float16; })); // the program takes float32
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].shape[1].size = -1; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[0].shape[0].name = "cores"; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[1].shape[0].name = "other"; })); // nothing says what it is
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[1].role = Role::Input; }));      // the program writes it
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[2].number = "other"; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[2].shape = {{"", 1}}; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.parameters[2].default_value = 1; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.steps.clear(); }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.steps[0].blocks = "many"; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.steps[0].arguments.pop_back(); }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.steps[0].arguments[2] = "alpha"; })); // a float
  EXPECT_TRUE(refused([](KernelFile &f) { f.steps[0].arguments[0] = "n"; }));
  EXPECT_TRUE(refused([](KernelFile &f) { f.rule = {program(DType::Float32), {"total"}, {"blocks"}}; }));
  EXPECT_FALSE(refused([](KernelFile &f) { f.steps[0].arguments[2] = "total"; }));
}

} // namespace
} // namespace asc::kernel_file

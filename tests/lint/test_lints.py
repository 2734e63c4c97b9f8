"""Each lint finds what it is for, and nothing in what is right."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from lint import (aborts, cpp, duplicates, formatting, headers, layers, messages,
                  passes, patterns, sizes, vacuous)
from lint.tree import Tree

HEADER = """\
//===- {name} - A thing {dashes}===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
"""


def header(name):
    dashes = "-" * (80 - len(f"//===- {name} - A thing ===//"))
    return HEADER.format(name=name, dashes=dashes)


class LintTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def findings(self, lint, files):
        """'path:line' of what the lint finds in a tree of these files."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [f"{f.path}:{f.line}"
                for f in sorted(lint.check(Tree(self.root)))]


class Layers(LintTest):
    def test_include_upwards_is_found(self):
        self.assertEqual(self.findings(layers, {
            "mesh/A.cpp": '#include "support/B.h"\n#include "ir/core/C.h"\n',
            "sharding/D.cpp": '#include "passes/E.h"\n#include "ir/core/C.h"\n',
        }), ["mesh/A.cpp:2", "sharding/D.cpp:1"])

    def test_only_the_driver_sees_the_text_dialects(self):
        self.assertEqual(self.findings(layers, {
            "passes/A.cpp": '#include "ir/io/B.h"\n',
            "driver/C.cpp": '#include "ir/io/B.h"\n'}), ["passes/A.cpp:1"])

    def test_code_generation_sees_only_the_plan_of_the_runtime(self):
        self.assertEqual(self.findings(layers, {
            "codegen/A.cpp": '#include "runtime/plan/B.h"\n'
                             '#include "runtime/exec/C.h"\n'}),
            ["codegen/A.cpp:2"])

    def test_the_runtime_has_no_mlir(self):
        self.assertEqual(self.findings(layers, {
            "runtime/A.h": '#include <vector>\n#include "mlir/IR/B.h"\n',
            "ir/C.h": '#include "mlir/IR/B.h"\n'}), ["runtime/A.h:2"])


class Sizes(LintTest):
    def test_long_files_and_functions_are_found(self):
        body = "  f();\n" * 79
        self.assertEqual(self.findings(sizes, {
            "ir/Long.h": "\n" * 801, "ir/Fits.h": "\n" * 800,
            "ir/A.cpp": f"int f() {{\n{body}}}\n\nint g() {{\n{body[7:]}}}\n",
            "tools/a.py": "def f():\n" + "    f()\n" * 80,
        }), ["ir/A.cpp:1", "ir/Long.h:1", "tools/a.py:1"])

    def test_report_names_the_largest(self):
        (self.root / "ir").mkdir()
        (self.root / "ir/A.cpp").write_text("int f() {\n  return 1;\n}\n")
        self.assertIn("3 f (ir/A.cpp:1)", sizes.report(Tree(self.root)))


class Headers(LintTest):
    def test_good_headers_pass(self):
        guard = "#ifndef PARTITA_IR_A_H\n#define PARTITA_IR_A_H\n#endif\n"
        self.assertEqual(self.findings(headers, {
            "ir/A.h": header("A.h") + guard, "ir/A.cpp": header("A.cpp"),
            "tools/a.py": '"""What it is."""\n'}), [])

    def test_bad_headers_are_found(self):
        self.assertEqual(self.findings(headers, {
            "ir/A.h": header("A.h"),            # no guard
            "ir/B.cpp": header("A.cpp"),        # another file's name
            "ir/C.cpp": "int x;\n",             # two findings
            "ir/D.td": header("D.td").replace("-===//", "===//", 1),
            "tools/a.py": "import os\n"}),
            ["ir/A.h:1", "ir/B.cpp:1", "ir/C.cpp:1", "ir/C.cpp:1", "ir/D.td:1",
             "tools/a.py:1"])


    def test_formatting_pads_the_first_line(self):
        for kind in ("", "-*- C++ -*-", "-*- tablegen -*-"):
            padded = headers.padded(f"//===- A.h - What it is {kind}-===//")
            self.assertEqual(len(padded), 80)
            self.assertIn(kind, padded)
            self.assertEqual(headers.padded(padded), padded)

    def test_formatting_joins_a_broken_first_line(self):
        text = headers.tidied("//===- A.h - A title that is rather long, and "
                              "so was broken --*- C++\n//-*-===//\n//\n")
        first, rest = text.split("\n", 1)
        self.assertEqual((len(first), rest), (80, "//\n"))


class Passes(LintTest):
    TD = 'def FoldHalosPass : Pass<"{flag}", "ModuleOp"> {{\n}}\n'

    def test_one_name_everywhere_passes(self):
        self.assertEqual(self.findings(passes, {
            "passes/a/Passes.td": self.TD.format(flag="partita-fold-halos"),
            "passes/a/FoldHalos.cpp": "",
            "tests/passes/a/fold-halos.mlir":
                "// RUN: partita-opt %s --partita-fold-halos\n"}), [])

    def test_missing_file_test_and_wrong_flag_are_found(self):
        self.assertEqual(self.findings(passes, {
            "passes/a/Passes.td": "\n" + self.TD.format(flag="halo-folding")}),
            ["passes/a/Passes.td:2"] * 3)

    def test_a_test_that_runs_another_pass_does_not_count(self):
        self.assertEqual(self.findings(passes, {
            "passes/a/Passes.td": self.TD.format(flag="fold-halos"),
            "passes/a/FoldHalos.cpp": "",
            "tests/fold-halos.mlir": "// RUN: partita-opt --cse %s\n"}),
            ["passes/a/Passes.td:1"])

    def test_kebab(self):
        self.assertEqual(passes.kebab("CombineAllGathers"),
                         "combine-all-gathers")
        self.assertEqual(passes.kebab("CSEReshards"), "cse-reshards")


class Patterns(LintTest):
    def test_emitting_and_bare_failure_are_found(self):
        self.assertEqual(self.findings(patterns, {"passes/A.cpp": """\
struct P : OpRewritePattern<X> {
  LogicalResult matchAndRewrite(X op, PatternRewriter &r) const override {
    if (a)
      return failure();
    if (b)
      return op.emitOpError("no");
    // return failure();
    return r.notifyMatchFailure(op, "return failure();");
  }
};
LogicalResult helper() { return failure(); }
"""}), ["passes/A.cpp:4", "passes/A.cpp:6"])


class Aborts(LintTest):
    def test_ends_of_process_in_libraries_are_found(self):
        self.assertEqual(self.findings(aborts, {
            "ir/A.cpp": "void f() {\n  abort();\n  std::exit(1);\n"
                        "  llvm::report_fatal_error(\"x\");\n  throw 1;\n"
                        "  // abort();\n  walk.abort();\n  say(\"exit(1)\");\n}",
            "tools/x/main.cpp": "int main() { exit(1); }\n"}),
            [f"ir/A.cpp:{line}" for line in (2, 3, 4, 5)])


class Messages(LintTest):
    def test_untested_messages_are_found(self):
        self.assertEqual(self.findings(messages, {
            "ir/A.cpp": 'a = op.emitOpError("dimension ") << d\n'
                        '    << " is split, but it "\n       "must not be";\n'
                        'b = op.emitError("an axis is used twice");\n',
            "tests/a.mlir": "// expected-error {{an axis is used twice}}\n"}),
            ["ir/A.cpp:1"])
        self.assertEqual(self.findings(messages, {
            "tests/b.cpp": 'HasSubstr("is split, but it "\n   "must not be")'}),
            [])


class Duplicates(LintTest):
    def test_repeated_names_are_found(self):
        self.assertEqual(self.findings(duplicates, {
            "tests/unit/a.cpp": "TEST(A, b) {}\nTEST(A, c) {}\n",
            "tests/unit/b.cpp": "TEST(A, b) {}\nTEST(B, b) {}\n",
            "tests/c.mlir": "// CHECK-LABEL: @f\n// CHECK-LABEL: @f\n",
            "tests/d.mlir": "// RUN: x\n", "tests/e.mlir": "// RUN: x\n",
            "tests/f.py": "class A:\n  def b(self): 0\n  def b(self): 1\n"}),
            ["tests/c.mlir:2", "tests/e.mlir:1", "tests/f.py:3",
             "tests/unit/b.cpp:1"])


class Formatting(LintTest):
    @unittest.skipUnless(shutil.which("clang-format-22"), "needs clang-format")
    def test_unformatted_sources_are_found(self):
        shutil.copy(ROOT / ".clang-format", self.root)
        self.assertEqual(self.findings(formatting, {
            "ir/A.cpp": "int f() { return 1; }\n",
            "ir/B.cpp": "int f( ) {return 1;}\n"}), ["ir/B.cpp:1"])


class Vacuous(LintTest):
    """A shell script stands for partita-opt; its pass makes letters upper."""

    OPT = """#!/bin/sh
if [ "$1" = --help ]; then
  printf 'Compiler passes to run\n  Passes:\n    --upper - Shouts\n'
  exit
fi
if [ "$1" = --upper ]; then shift; exec tr a-z A-Z < "$1"; fi
exec cat "$1"
"""

    @unittest.skipUnless(pathlib.Path("/usr/lib/llvm-22/bin/lit").exists(),
                         "needs lit")
    def test_a_test_that_passes_without_its_pass_is_found(self):
        opt = self.root / "build" / "bin" / "partita-opt"
        opt.parent.mkdir(parents=True)
        opt.write_text(self.OPT)
        opt.chmod(0o755)
        os.environ["PARTITA_LINT_BUILD"] = str(self.root / "build")
        self.addCleanup(os.environ.pop, "PARTITA_LINT_BUILD")
        run = "// RUN: partita-opt --upper %s | FileCheck %s --ignore-case\n"
        strict = run.replace(" --ignore-case", "")
        self.assertEqual(self.findings(vacuous, {
            "tests/lit.cfg.py": (ROOT / "tests/lit.cfg.py").read_text(),
            "tests/empty.mlir": run + "// CHECK: word\n word\n",
            "tests/good.mlir": strict + "// CHECK: {{^}} WORD\n word\n",
            "tests/none.mlir": run.replace("--upper ", "")
                               + "// CHECK: word\n word2\n",
        }), ["tests/empty.mlir:1"])


class Cpp(unittest.TestCase):
    def test_functions_are_found_whatever_surrounds_them(self):
        text = """\
#define M(x) { x }
namespace a {
struct S : T {
  S(int x) : y{x}, z(x) {
    use("}");
  }
  int g() const noexcept { return 1; } // }
  bool operator==(const S &) const {
    auto f = [](int i) { return i; };
    return '{' == 0;
  }
  int y{0};
};
enum class E { A, B };
static const int table[] = {1, 2, 3};
template <typename T = int>
std::vector<int> S::make(int a = 3,
                         int b = {}) {
  return {a, b};
}
static auto lambda = [](int i) {
  return i;
};
} // namespace a
"""
        self.assertEqual([(f.name, f.first, f.last)
                          for f in cpp.functions(text)],
                         [("S", 4, 6), ("g", 7, 7), ("operator", 8, 11),
                          ("make", 16, 20), ("(lambda)", 21, 23)])

    def test_blank_keeps_lines_and_length(self):
        text = 'a // "b\n"c//d" R"(e\n)" 1\'000 \'"\' f /* g\n*/ h'
        clean = cpp.blank(text)
        self.assertEqual(len(clean), len(text))
        self.assertEqual(clean.count("\n"), text.count("\n"))
        self.assertNotIn("d", clean)
        self.assertIn("h", clean)


if __name__ == "__main__":
    unittest.main()

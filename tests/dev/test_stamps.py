"""What ./dev new-pass and ./dev new-op write is complete and obeys the lints."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from dev import stamps
from dev.base import LLVM_BIN, Failure, tracked_files
from lint import formatting, headers, passes
from lint.tree import Tree

BUILD = pathlib.Path(os.environ.get("PARTITA_BUILD", ROOT / "build" / "dev"))


class StampTest(unittest.TestCase):
    """Works on a copy of the folders that hold code."""

    FOLDERS = ("passes/", "sharding/", "ir/", "tests/")

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name in [*tracked_files(), ".clang-format"]:
            if name.startswith(self.FOLDERS) or name == ".clang-format":
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.root / name)

    def changed(self, name):
        original = ROOT / name
        return not original.exists() or (
            original.read_text() != (self.root / name).read_text())

    def assert_clean(self, *lints):
        """No findings in what was stamped."""
        for lint in lints:
            found = [f for f in lint.check(Tree(self.root))
                     if self.changed(f.path)]
            self.assertEqual(found, [], lint.__name__)

    def tblgen(self, file, output, *flags):
        subprocess.run([LLVM_BIN / "mlir-tblgen", *flags, f"-I{self.root}",
                        f"-I{LLVM_BIN.parent / 'include'}", self.root / file,
                        "-o", self.root / output], check=True, cwd=self.root)

    def compiles(self, file, like):
        """Asserts that a new file compiles with a sibling's flags."""
        commands = BUILD / "compile_commands.json"
        if not commands.exists():
            self.skipTest("needs a build")
        entry = next(e for e in json.loads(commands.read_text())
                     if e["file"] == str(ROOT / like))
        words = [w.replace(str(ROOT / like), str(self.root / file))
                 for w in shlex.split(entry["command"])]
        if pathlib.Path(words[0]).name == "ccache":
            words = words[1:]
        at = words.index("-o")
        words[at:at + 2] = ["-fsyntax-only"]
        words.insert(1, f"-I{self.root}")
        done = subprocess.run(words, cwd=entry["directory"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class NewPass(StampTest):
    def stamp(self, folder="simplify", name="FoldPadding"):
        stamps.new_pass(self.root, folder, name, "Folds padding away")

    def test_it_obeys_the_lints(self):
        self.stamp()
        self.assert_clean(passes, headers, formatting)

    def test_it_is_compiled_and_tested_under_one_name(self):
        self.stamp()
        cmake = (self.root / "passes/simplify/CMakeLists.txt").read_text()
        self.assertIn("    FoldPadding.cpp\n", cmake)
        self.assertIn("    InlineCalls.cpp\n", cmake)
        test = self.root / "tests/passes/simplify/fold-padding.mlir"
        self.assertIn("--partita-fold-padding", test.read_text())

    def test_it_compiles(self):
        self.stamp()
        self.tblgen("passes/simplify/Passes.td", "passes/simplify/Passes.h.inc",
                    "-gen-pass-decls", "-name=Simplify")
        self.compiles("passes/simplify/FoldPadding.cpp",
                      "passes/simplify/InlineCalls.cpp")

    def test_a_folder_that_generates_under_another_name(self):
        self.stamp("sharding")
        self.assertIn('#include "sharding/ShardingPasses.h.inc"',
                      (self.root / "sharding/FoldPadding.cpp").read_text())

    def test_mistakes_are_named(self):
        with self.assertRaisesRegex(Failure, "there are .*passes/simplify"):
            self.stamp("nowhere")
        with self.assertRaisesRegex(Failure, "not in UpperCamel"):
            self.stamp(name="fold_padding")
        self.stamp()
        with self.assertRaisesRegex(Failure, "exists already"):
            self.stamp()


class NewOp(StampTest):
    OPS = (("gudermann", "unary", None), ("lerp_half", "binary", None),
           ("outer", "index", "i,j->ij"), ("interleave", "rule", None))

    def stamp(self, mnemonic="outer", kind="index", notation="i,j->ij"):
        stamps.new_op(self.root, mnemonic, kind, "Does a thing", notation)

    def test_entries_are_complete(self):
        for op in self.OPS:
            self.stamp(*op)
        self.assert_clean(headers, formatting)
        for flag, output in (("-gen-op-decls", "CoreOps.h.inc"),
                             ("-gen-op-defs", "CoreOps.cpp.inc"),
                             ("-gen-dialect-decls", "CoreDialect.h.inc"),
                             ("-gen-dialect-defs", "CoreDialect.cpp.inc"),
                             ("-gen-enum-decls", "CoreEnums.h.inc"),
                             ("-gen-enum-defs", "CoreEnums.cpp.inc")):
            self.tblgen("ir/core/CoreOps.td", f"ir/core/{output}", flag)
        for file in ("CoreDialect", "ShapeOps"):
            self.compiles(f"ir/core/{file}.cpp", f"ir/core/{file}.cpp")

    def test_the_example_follows_from_the_notation(self):
        words = stamps.index_words("mk,kn->mn")
        self.assertEqual(words["types"], "tensor<6x4xf32>, tensor<4x8xf32>")
        self.assertEqual(words["result"], "tensor<6x8xf32>")
        self.assertEqual(words["arguments"],
                         "Core_Tensor:$lhs, Core_Tensor:$rhs")

    def test_mistakes_are_named(self):
        for op, message in ((("Outer",), "not in lower_case"),
                            (("neg", "unary", None), "exists already"),
                            (("outer", "index", None), "needs it"),
                            (("outer", "index", "i->j"), "no operand has"),
                            (("outer", "index", "i;j"), "no index notation")):
            with self.assertRaisesRegex(Failure, message):
                self.stamp(*op)


class Sources(unittest.TestCase):
    def test_a_source_is_added_in_order(self):
        for before in ("partita_library(X MLIR\n  SRCS B.cpp\n  DEPS Y)",
                       "partita_library(X MLIR\n  SRCS\n    B.cpp\n  DEPS Y)"):
            self.assertEqual(stamps.add_source(before, "A.cpp"),
                             "partita_library(X MLIR\n  SRCS\n    A.cpp\n"
                             "    B.cpp\n  DEPS Y)")


if __name__ == "__main__":
    unittest.main()

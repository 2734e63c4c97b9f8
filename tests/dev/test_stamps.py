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

    def assert_clean(self, *lints):
        for lint in lints:
            self.assertEqual(lint.check(Tree(self.root)), [], lint.__name__)

    def tblgen(self, file, output, *flags):
        subprocess.run([LLVM_BIN / "mlir-tblgen", *flags, f"-I{self.root}",
                        f"-I{LLVM_BIN.parent / 'include'}", self.root / file,
                        "-o", self.root / output], check=True)

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
        self.assert_clean(passes)
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


class Sources(unittest.TestCase):
    def test_a_source_is_added_in_order(self):
        for before in ("partita_library(X MLIR\n  SRCS B.cpp\n  DEPS Y)",
                       "partita_library(X MLIR\n  SRCS\n    B.cpp\n  DEPS Y)"):
            self.assertEqual(stamps.add_source(before, "A.cpp"),
                             "partita_library(X MLIR\n  SRCS\n    A.cpp\n"
                             "    B.cpp\n  DEPS Y)")


if __name__ == "__main__":
    unittest.main()

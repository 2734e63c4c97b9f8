"""Links of the documentation lead somewhere; generated pages are complete."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from dev import docs
from dev.base import LLVM_BIN

_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


class Links(unittest.TestCase):
    def test_relative_links_resolve(self):
        pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"),
                 *ROOT.glob("examples/**/*.md"), *ROOT.glob("benchmarks/*.md")]
        for page in pages:
            for link in _LINK.findall(page.read_text()):
                self.assertTrue((page.parent / link).exists(),
                                f"{page.relative_to(ROOT)}: {link}")

    def test_every_page_is_in_the_index(self):
        index = (ROOT / "docs" / "README.md").read_text()
        for page in (ROOT / "docs").rglob("*.md"):
            name = str(page.relative_to(ROOT / "docs"))
            if name != "README.md":
                self.assertIn(f"({name})", index)

    def test_paths_that_guides_name_exist(self):
        for page in (ROOT / "docs").rglob("*.md"):
            for path in re.findall(r"`((?:ir|sharding|passes|codegen|runtime|"
                                   r"driver|tools|tests|support|mesh)/[\w./-]*)`",
                                   page.read_text()):
                self.assertTrue((ROOT / path).exists(),
                                f"{page.relative_to(ROOT)}: {path}")


@unittest.skipUnless((LLVM_BIN / "mlir-tblgen").exists(), "needs mlir-tblgen")
class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = docs.generate()

    def test_each_dialect_of_the_compiler_has_a_page(self):
        for dialect in ("core", "comm", "plan"):
            self.assertIn(f"dialect {dialect}", self.pages)

    def test_each_op_has_a_summary(self):
        # The text dialects mirror specifications, which say what their ops do.
        for name, path in self.pages.items():
            if name in ("dialect core", "dialect comm", "dialect plan"):
                for op in re.findall(r"^### (`[\w.]+`.*)\n\n(?!_)",
                                     path.read_text(), re.M):
                    self.fail(f"no summary: {op}")

    def test_each_pass_has_a_description(self):
        for name, path in self.pages.items():
            if name.startswith("passes "):
                for flag, text in re.findall(r"^### `(.*)`\n+(.*)",
                                             path.read_text(), re.M):
                    self.assertTrue(text, f"{name}: {flag}")


if __name__ == "__main__":
    unittest.main()

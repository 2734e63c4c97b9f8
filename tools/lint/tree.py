"""The files that lints look at, and what they report."""
import dataclasses
import fnmatch
import functools
import pathlib

LIBRARIES = ("support", "mesh", "ir", "sharding", "passes", "codegen",
             "runtime", "driver")
CPP_FOLDERS = LIBRARIES + ("tools", "python_bindings", "tests")


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    """A set of files under a root; `names` are relative to it."""

    def __init__(self, root, names=None):
        self.root = pathlib.Path(root)
        if names is None:
            names = [str(p.relative_to(self.root))
                     for p in self.root.rglob("*") if p.is_file()]
        self.names = sorted(names)

    def match(self, *patterns, under=()):
        """Names whose last part matches a pattern, in the given top-level
        folders (anywhere when there are none)."""
        return [name for name in self.names
                if any(fnmatch.fnmatch(name.rsplit("/", 1)[-1], p)
                       for p in patterns)
                and (not under or name.split("/", 1)[0] in under)]

    @functools.lru_cache(maxsize=None)
    def read(self, name):
        return (self.root / name).read_text(errors="replace")

    def exists(self, name):
        return (self.root / name).is_file()


def line_of(text, offset):
    """The 1-based line of a position in a text."""
    return text.count("\n", 0, offset) + 1

"""C++ sources are formatted as .clang-format says (`./dev fmt` does it)."""
import re
import shutil
import subprocess

from lint.tree import CPP_FOLDERS, Finding


def sources(tree):
    return tree.match("*.h", "*.cpp", under=CPP_FOLDERS)


def check(tree):
    tool = shutil.which("clang-format-22")
    names = sources(tree)
    if not names:
        return []
    if not tool:
        return [Finding(names[0], 1, "clang-format-22 is not installed")]
    done = subprocess.run([tool, "--dry-run", *names], cwd=tree.root,
                          capture_output=True, text=True)
    lines = re.findall(r"^(\S+?):(\d+):\d+: warning", done.stderr, re.M)
    first = {}
    for name, line in lines:
        first.setdefault(name, int(line))
    return [Finding(name, line, "not formatted: run ./dev fmt")
            for name, line in first.items()]

"""Layers include only what lies below them.

    support -> mesh -> ir -> sharding -> passes -> codegen -> driver -> tools
    support -> mesh -> runtime <- codegen (the plan only)

ir/io is apart: only driver, tools and python_bindings see it. support, mesh and
runtime include neither MLIR nor LLVM.
"""
import re

from lint.tree import Finding, line_of

_ALL = {"support", "mesh", "ir", "ir/io", "sharding", "passes", "codegen",
        "runtime/plan", "runtime", "driver"}
ALLOWED = {
    "support": set(),
    "mesh": {"support"},
    "ir": {"support", "mesh"},
    "ir/io": {"support", "mesh", "ir"},
    "sharding": {"support", "mesh", "ir"},
    "passes": {"support", "mesh", "ir", "sharding"},
    "codegen": {"support", "mesh", "ir", "sharding", "passes", "runtime/plan"},
    "runtime/plan": {"support", "mesh"},
    "runtime": {"support", "mesh", "runtime/plan"},
    "driver": _ALL,
    "tools": _ALL | {"tools"},
    "python_bindings": _ALL,
}
_WITHOUT_MLIR = ("support", "mesh", "runtime", "runtime/plan")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)


def layer_of(path):
    """The layer that a file belongs to; None for a file of no layer."""
    for layer in ("ir/io", "runtime/plan"):
        if path.startswith(layer + "/"):
            return layer
    top = path.split("/", 1)[0]
    return top if top in ALLOWED and "/" in path else None


def includes(text):
    """(path, line) of each include."""
    return [(m.group(1), line_of(text, m.start(1)))
            for m in _INCLUDE.finditer(text)]


def check(tree):
    findings = []
    for name in tree.match("*.h", "*.cpp", "*.c", "*.inc"):
        layer = layer_of(name)
        if not layer:
            continue
        for included, line in includes(tree.read(name)):
            target = layer_of(included)
            if target and target != layer and target not in ALLOWED[layer]:
                findings.append(Finding(
                    name, line, f"{layer} may not include {target} "
                    f"(\"{included}\"); it may include "
                    f"{', '.join(sorted(ALLOWED[layer])) or 'nothing'}"))
            if (layer in _WITHOUT_MLIR
                    and included.split("/", 1)[0] in ("mlir", "llvm", "lld")):
                findings.append(Finding(
                    name, line, f"{layer} may not include {included}: it is "
                    "built without MLIR and LLVM"))
    return findings

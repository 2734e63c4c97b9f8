"""./dev new-pass and ./dev new-op: write what a new pass or op begins with."""
import re
import subprocess

from dev.base import ROOT, Failure, say
from lint.passes import PREFIX, kebab

_HEADER = """\
//===- {file} - {summary} -===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

"""

_PASS_ENTRY = """\
def {name}Pass : Pass<"{flag}", "::mlir::ModuleOp"> {{
  let summary = "{summary}";
  let description = [{{
    TODO: what must hold before, what holds after; IR before and after.
  }}];
}}

"""

_PASS_SOURCE = """\
#include "{folder}/Passes.h"

using namespace mlir;

namespace partita {{

#define GEN_PASS_DEF_{upper}PASS
#include "{folder}/{generated}"

namespace {{

class {name} : public impl::{name}PassBase<{name}> {{
public:
  void runOnOperation() override {{
    // TODO: report at the op that is at fault, then signalPassFailure().
  }}
}};

}} // namespace
}} // namespace partita
"""

_PASS_TEST = """\
// RUN: partita-opt %s --{flag} -split-input-file | FileCheck %s

// TODO: something that is false of the input.
// CHECK-LABEL: func.func @fires(
// CHECK: core.TODO
func.func @fires(%x: tensor<4xf32>) -> tensor<4xf32> {{
  return %x : tensor<4xf32>
}}

// -----

// CHECK-LABEL: func.func @negative_multiple_uses(
// CHECK-NEXT: return
func.func @negative_multiple_uses(%x: tensor<4xf32>) -> tensor<4xf32> {{
  return %x : tensor<4xf32>
}}
"""


def insert_before_last(text, marker, addition):
    """The text with an addition before the last line that starts so."""
    at = text.rfind("\n" + marker)
    if at < 0:
        raise Failure(f"found no line that starts with {marker}")
    return text[:at + 1] + addition + text[at + 1:]


def add_source(cmake, file):
    """The CMake text with a file among the sources of its first library."""
    found = re.search(r"(\n?[ \t]*)SRCS\s+((?:[\w/]+\.cpp\s+)+)", cmake)
    if not found:
        raise Failure("found no SRCS in CMakeLists.txt")
    files = sorted({*found.group(2).split(), file})
    last = re.search(r"\s*$", found.group(2)).group(0)
    block = "".join(f"\n    {name}" for name in files)
    return (cmake[:found.start(2)].rstrip() + block + last
            + cmake[found.end(2):])


def write_new(root, name, text):
    path = root / name
    if path.exists():
        raise Failure(f"{name} exists already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    say(f"wrote {name}")


def edit(root, name, change):
    (root / name).write_text(change((root / name).read_text()))
    say(f"edited {name}")


def formatted(text):
    """C++ as .clang-format wants it."""
    from lint.headers import tidied
    done = subprocess.run(["clang-format-22", "--assume-filename=A.cpp"],
                          input=tidied(text), cwd=ROOT, text=True,
                          capture_output=True, check=True)
    return done.stdout


def new_pass(root, folder, name, summary):
    """Stamps out a pass; `folder` is one with a Passes.td, such as
    passes/collectives (or collectives)."""
    if not (root / folder / "Passes.td").exists():
        folder = f"passes/{folder}"
    if not (root / folder / "Passes.td").exists():
        stages = sorted(str(p.parent.relative_to(root)) for p in
                        root.glob("*/**/Passes.td") if "build" not in p.parts)
        raise Failure(f"no Passes.td in {folder}; there are "
                      f"{', '.join(stages)}")
    if not re.fullmatch(r"([A-Z]+[a-z0-9]*)+", name) or name.endswith("Pass"):
        raise Failure(f"{name} is not in UpperCamel, or ends in Pass")
    cmake = (root / folder / "CMakeLists.txt").read_text()
    generated = re.search(r'"?([\w.]+\.inc)=-gen-pass-decls', cmake)
    if not generated:
        raise Failure(f"{folder}/CMakeLists.txt generates no passes")
    words = dict(generated=generated.group(1), folder=folder, name=name, upper=name.upper(),
                 flag=PREFIX + kebab(name), summary=summary)
    file = f"{name}.cpp"
    write_new(root, f"{folder}/{file}", formatted(
        _HEADER.format(file=file, summary=summary)
        + _PASS_SOURCE.format(**words)))
    write_new(root, f"tests/{folder}/{kebab(name)}.mlir",
              _PASS_TEST.format(**words))
    edit(root, f"{folder}/Passes.td", lambda text: insert_before_last(
        text, "#endif", _PASS_ENTRY.format(**words)))
    edit(root, f"{folder}/CMakeLists.txt", lambda text: add_source(text, file))
    say("left to do: the pass, its description and test, and its place in the "
        "pipeline; see docs/guides/add-pass.md")


def add_parser(commands):
    p = commands.add_parser("new-pass", help="stamp out a new pass")
    p.add_argument("folder", help="such as collectives, for passes/collectives")
    p.add_argument("name", help="such as CombineAllGathers")
    p.add_argument("--summary", required=True)
    p.set_defaults(call=lambda o: new_pass(ROOT, o.folder, o.name, o.summary))

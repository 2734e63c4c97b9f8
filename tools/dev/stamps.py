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


# -- ops ---------------------------------------------------------------------

_OP_ENTRIES = {
    "unary": """\
def Core_{name}Op : Core_UnaryOp<"{mnemonic}", Core_Floats, "a /* TODO: of a */",
    [{{ return args[0]; /* TODO: the same, as arith and math ops */ }}]> {{
  let summary = "{summary}";
}}
""",
    "binary": """\
def Core_{name}Op : Core_BinaryOp<"{mnemonic}", Core_Floats, "a /* TODO: of a, b */",
    [{{ return args[0]; /* TODO: the same, as arith and math ops */ }}]> {{
  let summary = "{summary}";
}}
""",
    "index": """\

def Core_{name}Op : Core_IndexOp<"{mnemonic}", "{notation}"> {{
  let summary = "{summary}";
  let description = [{{
    TODO: what the result is, in terms of indices; what happens at the edges.
  }}];
  let arguments = (ins {arguments});
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "{operands} attr-dict `:` functional-type(operands, $result)";
  let example = [{{
    func.func @{mnemonic}({parameters}) -> {result} {{
      %0 = core.{mnemonic} {values} : ({types}) -> {result}
      return %0 : {result}
    }}
  }}];
}}
""",
    "rule": """\

def Core_{name}Op : Core_RuleOp<"{mnemonic}"> {{
  let summary = "{summary}";
  let description = [{{
    TODO: shapes of operands and result; what happens at the edges.
  }}];
  let arguments = (ins Core_Tensor:$operand);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let example = [{{
    func.func @{mnemonic}(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {{
      %0 = core.{mnemonic} %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    }}
  }}];
  let hasVerifier = 1;
}}
"""}

_RULE_SOURCE = """
//===----------------------------------------------------------------------===//
// {name}Op
//===----------------------------------------------------------------------===//

LogicalResult {name}Op::verify() {{
  // TODO: what the types must be, and what the message says otherwise.
  return success();
}}

IndexRule {name}Op::getIndexRule() {{
  // TODO: the factors that operand and result share.
  return IndexRule::makeReplicated(*this);
}}
"""

_EVALUATE_SOURCE = """
LogicalResult {name}Op::evaluate(Tensors operands, Results &results) {{
  // TODO: the definition of the op, written to be read.
  return emitOpError("cannot be interpreted yet");
}}
"""

# Kind -> family: its entries, its verifiers and rules, its interpreter steps.
_FAMILIES = {"unary": "Pointwise", "binary": "Pointwise",
             "index": "Contraction", "rule": "Shape"}


def index_words(notation):
    """What an entry needs of a notation such as "mk,kn->mn"."""
    if not re.fullmatch(r"[a-z]*(,[a-z]*)*->[a-z]*", notation):
        raise Failure(f"{notation} is no index notation such as mk,kn->mn")
    left, right = notation.split("->")
    terms = left.split(",")
    letters = sorted(set("".join(terms)))
    if not set(right) <= set(letters):
        raise Failure(f"{notation}: the result has letters that no operand has")
    sizes = {letter: 4 + 2 * i for i, letter in enumerate(letters)}
    tensors = [f"tensor<{''.join(f'{sizes[c]}x' for c in term)}f32>"
               for term in (*terms, right)]
    names = ["lhs", "rhs"] if len(terms) == 2 else [
        f"operand{i or ''}" for i in range(len(terms))]
    return dict(
        notation=notation, result=tensors[-1], types=", ".join(tensors[:-1]),
        arguments=", ".join(f"Core_Tensor:${n}" for n in names),
        operands=" `,` ".join(f"${n}" for n in names),
        values=", ".join(f"%{n}" for n in names),
        parameters=", ".join(f"%{n}: {t}" for n, t in zip(names, tensors)))


def append_in_namespace(text, addition):
    """The text with an addition at its end; before the brace of a namespace
    that closes there."""
    at = re.search(r"\n*(?:\n} // namespace[^\n]*)*\s*$", text).start()
    return text[:at].rstrip("\n") + "\n" + addition.rstrip("\n") + text[at:]


def new_op(root, mnemonic, kind, summary, notation=None):
    """Stamps out an op of the core dialect."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", mnemonic):
        raise Failure(f"{mnemonic} is not in lower_case")
    if (kind == "index") != bool(notation):
        raise Failure("--notation is for --kind index, which needs it")
    entries = "".join(p.read_text() for p in (root / "ir/core").glob("*.td"))
    if f'<"{mnemonic}"' in entries:
        raise Failure(f"core.{mnemonic} exists already")
    name = "".join(word.capitalize() for word in mnemonic.split("_"))
    words = dict(name=name, mnemonic=mnemonic, summary=summary)
    if notation:
        words.update(index_words(notation))
    family = _FAMILIES[kind]
    edit(root, f"ir/core/{family}Ops.td", lambda text: insert_before_last(
        text, "#endif", _OP_ENTRIES[kind].format(**words) + "\n").replace(
            "\n\n\n", "\n\n"))
    if kind == "rule":
        edit(root, f"ir/core/{family}Ops.cpp", lambda text:
             append_in_namespace(text, _RULE_SOURCE.format(**words)))
    if kind in ("index", "rule"):
        edit(root, f"ir/core/Evaluate{family}.cpp", lambda text:
             append_in_namespace(text, _EVALUATE_SOURCE.format(**words)))
    say("left to do: what the entry marks with TODO, and its import; see "
        "docs/guides/add-op.md")


def add_parser(commands):
    p = commands.add_parser("new-op", help="stamp out a new op")
    p.add_argument("mnemonic", help="such as sinh, for core.sinh")
    p.add_argument("--kind", choices=sorted(_OP_ENTRIES), required=True)
    p.add_argument("--notation", help="of --kind index: mk,kn->mn")
    p.add_argument("--summary", required=True)
    p.set_defaults(call=lambda o: new_op(ROOT, o.mnemonic, o.kind, o.summary,
                                         o.notation))
    p = commands.add_parser("new-pass", help="stamp out a new pass")
    p.add_argument("folder", help="such as collectives, for passes/collectives")
    p.add_argument("name", help="such as CombineAllGathers")
    p.add_argument("--summary", required=True)
    p.set_defaults(call=lambda o: new_pass(ROOT, o.folder, o.name, o.summary))

"""Each source file opens with the project's header, and headers are guarded.

    //===- Name.h - What it is ---*- C++ -*-===//     80 columns, the file's name
    // Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
    // SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

C++ headers guard by PARTITA_<PATH>_H; Python modules open with a docstring;
CMake files and protos with a comment.
"""
import re

from lint.tree import CPP_FOLDERS, Finding

_FIRST = re.compile(r"//===- (\S+) - \S.*===//$")
_LICENSE = ("// Part of Partita, under the Apache License v2.0 with LLVM "
            "Exceptions.\n"
            "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")


def padded(first):
    """A first line with as many dashes as give it 80 columns. The editor's
    mark for the language goes where there is no room for it."""
    match = re.match(r"(//===- \S+ - .*?\S) -*(\*- [\w+]+ -\*)?-*===//$", first)
    if not match:
        return first
    kind = match.group(2) or ""
    if len(match.group(1)) + len(kind) + len(" ----===//") > 80:
        kind = ""
    dashes = "-" * max(3, 80 - len(match.group(1)) - len(kind) - len(" ===//"))
    dashes = dashes if not kind else dashes[:-1] + kind + "-"
    return f"{match.group(1)} {dashes}===//"


def tidied(text):
    """A file's text with its first line padded."""
    text = re.sub(r"\A(//===- .*\S) *\n// ?(-\*-===//)", r"\1 \2", text)
    first, newline, rest = text.partition("\n")
    return padded(first) + newline + rest


def _cpp(name, text):
    first = text.split("\n", 1)[0]
    match = _FIRST.match(first)
    if not match:
        yield 1, "the first line is not //===- NAME - WHAT IT IS ---===//"
    elif match.group(1) != name.rsplit("/", 1)[-1]:
        yield 1, f"the first line names {match.group(1)}, not this file"
    elif len(first) != 80:
        yield 1, f"the first line has {len(first)} columns, not 80: "\
            "run ./dev fmt"
    if _LICENSE not in text[:600]:
        yield 1, "no licence lines below the first line (see support/DType.h)"
    if name.endswith(".h"):
        guard = re.sub(r"[^A-Za-z0-9]", "_", "PARTITA_" + name).upper()
        if not re.search(rf"^#ifndef {guard}\n#define {guard}$", text, re.M):
            yield 1, f"include guard is not {guard}"


def check(tree):
    findings = []
    for name in tree.match("*.h", "*.cpp", "*.td", under=CPP_FOLDERS):
        if "/inputs/" in name:
            continue
        text = tree.read(name)
        findings += [Finding(name, *found) for found in _cpp(name, text)]
    for name in tree.match("*.py"):
        if not re.match(r'(#!.*\n)?[ru]?"""', tree.read(name)):
            findings.append(Finding(name, 1, "no docstring at the top"))
    for name in tree.match("CMakeLists.txt", "*.cmake", under=CPP_FOLDERS):
        text = tree.read(name)
        if text.count("\n") > 30 and not text.startswith("#"):
            findings.append(Finding(name, 1, "no comment at the top"))
    return findings

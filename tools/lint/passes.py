"""One name for a pass, everywhere.

    def CombineAllGathersPass : Pass<"partita-combine-all-gathers", …>
    passes/collectives/CombineAllGathers.cpp   in the folder of the .td, or below
    tests/**/combine-all-gathers*.mlir         which runs the flag

The prefix "partita-" of the flag is optional. A pass has a summary.
"""
import re

from lint.tree import Finding, line_of

_DEF = re.compile(r'^def\s+(\w+)\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"', re.M)
PREFIX = "partita-"


def kebab(camel):
    """CombineAllGathers -> combine-all-gathers; CSEOps -> cse-ops."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", camel)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1-\2", spaced).lower()


def definitions(tree):
    """(file, line, def name, flag) of each pass."""
    for name in tree.match("*.td"):
        text = tree.read(name)
        for match in _DEF.finditer(text):
            yield name, line_of(text, match.start()), *match.groups()


def check(tree):
    findings = []
    lit_tests = tree.match("*.mlir", "*.test", under=("tests",))
    for name, line, definition, flag in definitions(tree):
        def found(message):
            findings.append(Finding(name, line, message))
        if not definition.endswith("Pass"):
            found(f"def {definition} does not end in Pass")
            continue
        stem = definition[:-len("Pass")]
        expected = kebab(stem)
        if flag not in (expected, PREFIX + expected):
            found(f"def {definition} has the flag {flag}, not "
                  f"{PREFIX}{expected}")
        folder = name.rsplit("/", 1)[0]
        if not any(n.startswith(folder + "/") and n.endswith(f"/{stem}.cpp")
                   for n in tree.names):
            found(f"no file {stem}.cpp in {folder}")
        tests = [n for n in lit_tests
                 if n.rsplit("/", 1)[-1].startswith(expected)]
        if not any(re.search(rf"-{re.escape(flag)}\b", tree.read(n))
                   or re.search(rf"pass-pipeline.*\b{re.escape(flag)}\b",
                                tree.read(n)) for n in tests):
            found(f"no lit test tests/**/{expected}*.mlir runs --{flag}")
    return findings

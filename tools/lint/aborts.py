"""Libraries never end the process and never throw.

No abort, exit, terminate, report_fatal_error, LOG(FATAL), CHECK or throw outside
tools/ and tests/: the caller gets a diagnostic or an absl::Status.
"""
import re

from lint import cpp
from lint.tree import LIBRARIES, Finding, line_of

_ENDS = re.compile(
    r"(?<![\w.>])(?:std::|::|llvm::)?"
    r"(abort|exit|_exit|quick_exit|terminate|report_fatal_error"
    r"|reportFatalInternalError|reportFatalUsageError)\s*\("
    r"|\b(throw)\b\s*[^;\s]|\b(A?CHECK(?:_[A-Z]+)?|LOG\(FATAL)\s*[()]")


def check(tree):
    findings = []
    for name in tree.match("*.cpp", "*.h", under=LIBRARIES):
        text = tree.read(name)
        for match in _ENDS.finditer(cpp.blank(text)):
            word = next(filter(None, match.groups()))
            findings.append(Finding(
                name, line_of(text, match.start()),
                f"{word} in a library; return a Status or a diagnostic"))
    return findings

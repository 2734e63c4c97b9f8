"""Every error message has a test: the longest piece of its text stands in one.

A message that no test can bring about is a check that is of no use: leave it
out, or make it an assertion.
"""
import re

from lint import cpp
from lint.tree import LIBRARIES, Finding, line_of

_START = re.compile(r"\b(?:emit(?:Op)?Error|attachNote|emitWarning|"
                    r"(?:absl::)?(?:InvalidArgument|FailedPrecondition|DataLoss|"
                    r"ResourceExhausted|DeadlineExceeded|Unimplemented|NotFound|"
                    r"OutOfRange)Error)\s*\(")
_LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def messages(text):
    """(line, longest piece of text) of each message in a source."""
    clean = cpp.blank(text)
    for match in _START.finditer(clean):
        end = clean.find(";", match.end())
        # Neighbouring literals are one text.
        statement = re.sub(r'"\s*\n\s*"', "", text[match.end():end])
        pieces = [p for literal in _LITERAL.findall(statement)
                  for p in re.split(r"\{\d[^}]*\}|\\.", literal)]
        piece = max(pieces, key=len, default="").strip()
        if len(piece) >= 8:
            yield line_of(text, match.start()), piece


def check(tree):
    tests = "\n".join(
        tree.read(name) for name in tree.match(
            "*.mlir", "*.test", "*.cpp", "*.py", under=("tests",)))
    tests = re.sub(r'"\s*\n\s*"', "", tests)
    tests = re.sub(r"\\(.)", r"\1", tests)
    return [Finding(name, line, f"no test has this message: {piece}")
            for name in tree.match("*.cpp", under=LIBRARIES)
            for line, piece in messages(tree.read(name))
            if piece not in tests]

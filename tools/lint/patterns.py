"""Rewrite patterns say why they do not match, and report nothing else.

In the body of matchAndRewrite: no emitError, emitOpError, emitWarning or
emitRemark (a pattern may be tried many times), and no bare `return failure();`
(use notifyMatchFailure, whose reason shows under --debug).
"""
import re

from lint import cpp
from lint.tree import LIBRARIES, Finding, line_of

_EMIT = re.compile(r"\bemit(?:Op)?(?:Error|Warning|Remark)\s*\(")
_BARE = re.compile(r"\breturn\s+(?:mlir::|llvm::)?failure\(\)\s*;")


def check(tree):
    findings = []
    for name in tree.match("*.cpp", "*.h", under=LIBRARIES):
        text = tree.read(name)
        if "matchAndRewrite" not in text:
            continue
        clean = cpp.blank(text)
        for function in cpp.functions(text):
            if function.name != "matchAndRewrite":
                continue
            body = clean[function.begin:function.end]
            for pattern, message in (
                    (_EMIT, "a pattern emits a diagnostic; use "
                            "notifyMatchFailure, or report from the pass"),
                    (_BARE, "a pattern fails without a reason; use "
                            "notifyMatchFailure")):
                findings += [
                    Finding(name, line_of(text, function.begin + m.start()),
                            message) for m in pattern.finditer(body)]
    return findings

"""No two tests have the same name.

Two GoogleTest cases of one suite and name, two methods of one name in a Python
test class (the second hides the first), the same CHECK-LABEL twice in a .mlir
file, two .mlir tests of the same text.
"""
import ast
import collections
import re

from lint.tree import Finding, line_of

_GTEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", re.M)
_LABEL = re.compile(r"^\s*//\s*([A-Z][\w-]*)-LABEL:\s*(.*\S)", re.M)


def _repeated(places):
    """(key, first place, later place) for keys that occur more than once."""
    for key, found in places.items():
        for later in found[1:]:
            yield key, found[0], later


def _python(tree, name):
    try:
        classes = [node for node in ast.walk(ast.parse(tree.read(name)))
                   if isinstance(node, ast.ClassDef)]
    except SyntaxError as error:
        return [Finding(name, error.lineno or 1, "not valid Python")]
    findings = []
    for node in classes:
        methods = collections.defaultdict(list)
        for item in node.body:
            if isinstance(item, ast.FunctionDef):
                methods[item.name].append(item.lineno)
        findings += [Finding(name, later, f"{node.name}.{key} hides the one in "
                             f"line {first}")
                     for key, first, later in _repeated(methods)]
    return findings


def check(tree):
    findings = []
    cases = collections.defaultdict(list)
    for name in tree.match("*.cpp", under=("tests",)):
        text = tree.read(name)
        for m in _GTEST.finditer(text):
            cases[".".join(m.groups())].append((name, line_of(text, m.start())))
    findings += [Finding(*later, f"test {key} exists in {first[0]}:{first[1]}")
                 for key, first, later in _repeated(cases)]
    texts = collections.defaultdict(list)
    for name in tree.match("*.mlir", under=("tests",)):
        text = tree.read(name)
        texts[text.strip()].append(name)
        labels = collections.defaultdict(list)
        for m in _LABEL.finditer(text):
            if "@main" not in m.group(2):  # a program must call it so
                labels[m.groups()].append(line_of(text, m.start()))
        findings += [Finding(name, later, f"label {key[1]} is checked in line "
                             f"{first} already")
                     for key, first, later in _repeated(labels)]
    findings += [Finding(later, 1, f"the same test as {first}")
                 for _, first, later in _repeated(texts)]
    for name in tree.match("*.py", under=("tests",)):
        findings += _python(tree, name)
    return findings

"""Files have at most 800 lines, functions at most 80.

Generated code is exempt: the folders in GENERATED hold some.
"""
import ast

from lint import cpp
from lint.tree import CPP_FOLDERS, Finding

FILE_LIMIT, FUNCTION_LIMIT = 800, 80
GENERATED = ("docs/generated/", "examples/")
_SOURCES = ("*.h", "*.cpp", "*.td", "*.py", "*.proto", "*.cmake", "*.md",
            "*.mlir", "CMakeLists.txt", "dev")


def python_functions(text):
    """(name, first line, lines) of each function and method."""
    try:
        nodes = ast.walk(ast.parse(text))
    except SyntaxError:
        return []
    return [(node.name, node.lineno, node.end_lineno - node.lineno + 1)
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def measure(tree):
    """([(lines, file)], [(lines, file, first line, function)])."""
    files, functions = [], []
    for name in tree.match(*_SOURCES):
        if name.startswith(GENERATED):
            continue
        text = tree.read(name)
        files.append((text.count("\n"), name))
        if name.endswith((".cpp", ".h")):
            functions += [(f.lines, name, f.first, f.name)
                          for f in cpp.functions(text)]
        elif name.endswith(".py") or name == "dev":
            functions += [(lines, name, first, function)
                          for function, first, lines in python_functions(text)]
    return files, functions


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def report(tree):
    """The ten largest files and functions, and the sizes below which nine
    in ten stay."""
    files, functions = measure(tree)
    code = [f for f in files if f[1].split("/", 1)[0] in CPP_FOLDERS]
    lines = [f"files: {len(code)}, median {percentile([f[0] for f in code], .5)}"
             f", p90 {percentile([f[0] for f in code], .9)} lines; largest:"]
    lines += [f"  {f[0]:5} {f[1]}" for f in sorted(code, reverse=True)[:10]]
    sizes = [f[0] for f in functions]
    lines.append(f"functions: {len(sizes)}, median {percentile(sizes, .5)}, "
                 f"p90 {percentile(sizes, .9)} lines; largest:")
    lines += [f"  {f[0]:5} {f[3]} ({f[1]}:{f[2]})"
              for f in sorted(functions, reverse=True)[:10]]
    tests = sum(n for n, f in code if f.startswith("tests/"))
    rest = sum(n for n, f in code if not f.startswith("tests/"))
    lines.append(f"lines: {rest} of code, {tests} of tests "
                 f"({tests / max(rest, 1):.2f} a line of code)")
    return "\n".join(lines)


def check(tree):
    files, functions = measure(tree)
    findings = [Finding(name, 1, f"file of {n} lines; at most {FILE_LIMIT}: "
                        "split it by topic")
                for n, name in files if n > FILE_LIMIT]
    findings += [Finding(name, first, f"function {function} of {n} lines; at "
                         f"most {FUNCTION_LIMIT}: name its parts")
                 for n, name, first, function in functions
                 if n > FUNCTION_LIMIT]
    return findings

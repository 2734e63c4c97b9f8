"""A light reader of C++: blanks comments and literals, finds function bodies.

Not a parser: it follows braces and looks at the text before each of them, which
is enough for formatted code and costs milliseconds where a compiler costs
minutes.
"""
import dataclasses
import re

_TOKENS = re.compile(
    r"""//[^\n]* | /\*.*?\*/
      | R"(?P<tag>[^\s()\\]{0,16})\(.*?\)(?P=tag)"
      | "(?:\\.|[^"\\\n])*" | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'
      | (?<=\n)[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.X)


def blank(text):
    """The text with comments, literals and preprocessor lines turned into
    spaces: same length, same lines."""
    def spaces(match):
        found = match.group(0)
        kept = re.sub(r"[^\n]", " ", found)
        if found[0] in "\"'R" and len(found) > 1:
            kept = '"' + kept[1:-1] + '"'
        return kept
    # The sentinel lets a directive in the first line be seen as one.
    return _TOKENS.sub(spaces, "\n" + text)[1:]


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    first: int  # line where its declaration starts
    last: int   # line of the closing brace
    begin: int  # offset of the opening brace
    end: int    # offset of the closing brace

    @property
    def lines(self):
        return self.last - self.first + 1


def _outside_parens(header):
    """The header without what stands in parentheses and template brackets."""
    header = re.sub(r"operator\s*(\(\)|[^\s\w(]+)", "operator", header)
    previous = None
    while previous != header:
        previous = header
        header = re.sub(r"\([^()]*\)", "\x00", header)
        header = re.sub(r"<[^<>]*>", "", header)
    return header


def _kind(header, enclosing):
    """What the brace behind a header opens."""
    if enclosing in ("function", "block"):
        return "block"
    plain = _outside_parens(header).strip()
    if re.search(r"\bnamespace\b", plain) or re.match(r'extern\s*"', plain):
        return "namespace"
    if re.search(r"=\s*\[", plain) and "\x00" in plain:
        return "function"
    if "=" in plain:
        return "initializer"
    if "\x00" in plain:
        # `Type(int x) : member{x} {`: a brace that initialises a member.
        if re.search(r"\x00\s*(noexcept\s*)?:[^:].*\w$", plain, re.S):
            return "initializer"
        return "function"
    if re.search(r"\b(class|struct|union|enum)\b", plain):
        return "class"
    return "initializer"


def functions(text):
    """The functions defined in a text, in order of their closing braces.
    Lambdas and local classes count as part of the function around them."""
    clean = blank(text)
    found, stack, start = [], [], 0
    for match in re.finditer(r"[{};]|\b(?:public|private|protected)\s*:",
                             clean):
        at, token = match.start(), match.group(0)
        enclosing = stack[-1][0] if stack else "namespace"
        if token == "{":
            header = clean[start:at]
            kind = _kind(header, enclosing)
            stack.append((kind, start, at))
            if kind != "initializer":
                start = at + 1
        elif token == "}":
            if not stack:
                continue
            kind, header_start, opened = stack.pop()
            if kind == "function":
                header = clean[header_start:opened]
                indent = len(header) - len(header.lstrip())
                plain = _outside_parens(header)
                name = re.search(r"([~\w]+)\s*\x00", plain)
                found.append(Function(
                    name.group(1) if name else "(lambda)",
                    clean.count("\n", 0, header_start + indent) + 1,
                    clean.count("\n", 0, at) + 1, opened, at))
            if kind != "initializer":
                start = at + 1
        elif not stack or stack[-1][0] != "initializer":
            start = match.end()
    return found

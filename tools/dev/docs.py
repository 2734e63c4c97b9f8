"""./dev docs: pages about ops and passes, from the entries that define them."""
import json
import re
import shutil
import subprocess

from dev import packages
from dev.base import LLVM_BIN, ROOT, Failure, say, tracked_files

OUTPUT = ROOT / "build" / "docs"
_TABLEGEN = re.compile(r"partita_tablegen\(\s*\w+\s+(\S+\.td)([^)]*)\)", re.S)


def _tblgen(file, *flags, tool="mlir-tblgen"):
    done = subprocess.run(
        [LLVM_BIN / tool, *flags, "-I", ROOT, "-I",
         LLVM_BIN.parent / "include", ROOT / file], capture_output=True,
        text=True, cwd=ROOT)
    if done.returncode:
        raise Failure(f"{tool} {' '.join(flags)} {file}:\n{done.stderr}")
    return done.stdout


def definitions():
    """({dialect: .td file}, [.td files of passes]), as the CMake files have
    them."""
    dialects, passes = {}, []
    for cmake in tracked_files("CMakeLists.txt"):
        folder = cmake.rpartition("/")[0]
        for file, outputs in _TABLEGEN.findall((ROOT / cmake).read_text()):
            path = f"{folder}/{file}"
            if "-gen-pass-decls" in outputs:
                passes.append(path)
            if "-gen-op-decls" in outputs:
                named = re.search(r"-dialect=(\w+)", outputs)
                dialects[named.group(1) if named else _dialect_of(path)] = path
    return dialects, passes


def _records(path):
    return json.loads(_tblgen(path, "--dump-json", tool="llvm-tblgen"))


def _dialect_of(path):
    """The dialect of most ops in a .td file."""
    records = _records(path)
    names = [records[records[op]["opDialect"]["def"]]["name"]
             for op in records["!instanceof"].get("Op", ())]
    if not names:
        raise Failure(f"{path} defines no op")
    return max(set(names), key=names.count)


def _additions(path):
    """{op name: text}: index notation and example, which stock pages lack."""
    records = _records(path)
    added = {}
    for key in records["!instanceof"].get("Op", ()):
        record, text = records[key], ""
        if record.get("indexRule"):
            text += f"\nIndex rule: `{record['indexRule']}`\n"
        if record.get("example", "").strip():
            text += f"\nExample:\n\n```mlir\n{record['example'].strip()}\n```\n"
        dialect = records[record["opDialect"]["def"]]["name"]
        added[f"{dialect}.{record['opName']}"] = text
    return added


def dialect_page(dialect, path):
    page = _tblgen(path, "-gen-dialect-doc", f"-dialect={dialect}")
    if "### `" not in page:  # the dialect itself is defined in another file
        page = _tblgen(path, "-gen-op-doc", f"-dialect={dialect}")
    additions = _additions(path)

    def with_additions(match):
        return match.group(0) + additions.get(match.group(1), "")
    return re.sub(r"^### `([\w.]+)`.*\n(?:\n_.*_\n)?", with_additions, page,
                  flags=re.M)


def generate():
    """Writes build/docs: the hand-written pages and the generated ones.
    Returns {page: path}."""
    shutil.rmtree(OUTPUT, ignore_errors=True)
    shutil.copytree(ROOT / "docs", OUTPUT)
    target = OUTPUT / "generated"
    target.mkdir()
    pages = {}
    dialects, passes = definitions()
    for dialect, path in sorted(dialects.items()):
        pages[f"dialect {dialect}"] = target / f"{dialect}.md"
        pages[f"dialect {dialect}"].write_text(dialect_page(dialect, path))
    for path in passes:
        name = path.rpartition("/")[0].replace("/", "-")
        pages[f"passes of {path.rpartition('/')[0]}"] = target / f"{name}.md"
        (target / f"{name}.md").write_text(
            f"# {path.rpartition('/')[0]}\n\n" + _tblgen(path, "-gen-pass-doc"))
    index = "".join(f"- [{name}]({path.name})\n" for name, path in pages.items())
    (target / "README.md").write_text(f"# Generated pages\n\n{index}")
    return pages


def add_parser(commands):
    def call(_):
        packages.install_packages()
        pages = generate()
        say(f"{len(pages)} generated pages in {OUTPUT.relative_to(ROOT)}")
    p = commands.add_parser("docs", help="generate pages about ops and passes")
    p.set_defaults(call=call)

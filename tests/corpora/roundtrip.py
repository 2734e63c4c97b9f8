"""Programs of others parse, print and parse again to the same; how many import.

    python roundtrip.py --tools build/release/bin [--corpora DIR] [--import]

Reads the corpora `jax`, `sharding` and `stablehlo-conformance.tar.xz`. A file is
split at its `// -----` lines; a section that expects an error is left out. With
--import, further counts the sections that --partita-import takes, and why it
refuses the rest. Without the corpora it says so and does nothing.
"""
import argparse
import collections
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 20
SEPARATOR = "\n// -----\n"
_REASON = re.compile(r"error: (.*)")


def sections(name, text):
    """(name, module text) of each module of a file that should be valid."""
    for number, part in enumerate(re.split(r"^\s*// -----.*$", text, flags=re.M)):
        if "expected-error" in part or not part.strip():
            continue
        yield f"{name}#{number}" if number else name, part


def is_to_be_refused(path):
    """Whether the program is there because it is invalid."""
    expect = path.parent / "expect.json"
    return expect.exists() and json.loads(expect.read_text())["right"].get(
        "diagnostic", False)


def read_folder(folder):
    for path in sorted(folder.rglob("*.mlir")) + sorted(folder.rglob("*.mlir.xz")):
        if is_to_be_refused(path):
            continue
        opened = lzma.open if path.suffix == ".xz" else open
        with opened(path, "rt") as file:
            yield from sections(str(path.relative_to(folder.parent)), file.read())


def read_archive(path):
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.endswith(".mlir"):
                text = archive.extractfile(member).read().decode()
                yield from sections(member.name.removeprefix("./"), text)


def read_corpora(corpora):
    """{corpus: [(name, text)]} of those that are there."""
    found = {}
    for name in ("jax", "sharding"):
        if (corpora / name).is_dir():
            found[name] = list(read_folder(corpora / name))
    archive = corpora / "stablehlo-conformance.tar.xz"
    if archive.exists():
        found["stablehlo"] = list(read_archive(archive))
    return found


class Runner:
    """Runs partita-opt on modules, many at a time."""

    def __init__(self, tool, check):
        self.tool, self.check = tool, check

    def opt(self, text, *flags):
        """(exit status, output, diagnostics) of partita-opt on a text."""
        done = subprocess.run(
            [self.tool, "--split-input-file", "--mlir-print-debuginfo", *flags,
             "-"], input=text, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr

    def failures(self, modules):
        """[(name, exit status, diagnostics)] of modules that are refused."""
        code, stderr = self.check(self, SEPARATOR.join(t for _, t in modules))
        if code == 0:
            return []
        if len(modules) == 1:
            return [(modules[0][0], code, stderr)]
        half = len(modules) // 2
        return self.failures(modules[:half]) + self.failures(modules[half:])

    def all_failures(self, modules, jobs):
        batches = [modules[i:i + BATCH] for i in range(0, len(modules), BATCH)]
        with ThreadPoolExecutor(jobs) as pool:
            return [f for found in pool.map(self.failures, batches) for f in found]


def round_trip(runner, text):
    """Parses and prints, then parses and prints again: the same, with all
    locations."""
    code, printed, stderr = runner.opt(text)
    if code:
        return code, stderr
    code, again, stderr = runner.opt(printed)
    if code == 0 and again != printed:
        return 1, "error: printed differently the second time"
    return code, stderr


def import_core(runner, text):
    code, _, stderr = runner.opt(text, "--partita-import")
    return code, stderr


def reason(stderr):
    """The first error, without what differs from program to program."""
    match = _REASON.search(stderr)
    text = match.group(1) if match else stderr.strip().split("\n")[-1]
    return re.sub(r"tensor<[^>]*>+|\d+", "…", text)[:120]


def report(title, modules, failures, verbose):
    """Prints the counts; the exit statuses that no diagnostic explains."""
    print(f"{title}: {len(modules) - len(failures)} of {len(modules)}")
    kinds = collections.Counter(reason(stderr) for _, _, stderr in failures)
    for kind, count in kinds.most_common():
        print(f"  {count:5}  {kind}")
    if verbose:
        for name, _, stderr in failures:
            print(f"  {name}: {reason(stderr)}")
    return [name for name, code, _ in failures if code not in (0, 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tools", default=str(ROOT / "build/release/bin"))
    parser.add_argument("--corpora", default=os.environ.get(
        "PARTITA_CORPORA", str(ROOT.parent / "shared/corpora")))
    parser.add_argument("--import", dest="with_import", action="store_true")
    parser.add_argument("--only", help="a corpus, or a part of names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    found = read_corpora(pathlib.Path(options.corpora))
    if not found:
        print(f"SKIPPED: no corpora in {options.corpora}; set PARTITA_CORPORA")
        return 0
    tool = str(pathlib.Path(options.tools) / "partita-opt")
    bad = []
    for corpus, modules in found.items():
        if options.only and options.only != corpus:
            modules = [m for m in modules if options.only in m[0]]
        if not modules:
            continue
        failures = Runner(tool, round_trip).all_failures(modules, options.jobs)
        bad += [name for name, _, _ in failures]
        report(f"{corpus}, round trip", modules, failures, options.verbose)
        if options.with_import:
            failures = Runner(tool, import_core).all_failures(
                modules, options.jobs)
            bad += report(f"{corpus}, imported", modules, failures,
                          options.verbose)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

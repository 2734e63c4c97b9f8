"""StableHLO's own test programs: parsed, imported, right on both back-ends.

    python check_stablehlo.py --tools build/release/bin --corpora DIR [--full]

Every program must parse and print so that it parses to the same again. Beyond
that a program may await an operation; what was right must stay right, and none
may crash. Programs are judged by partita-conformance, many in one process, with
their constants hidden from the compiler. Without --full, only every fourth one
that imports is run on `cpu`, whose code takes longest to make.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

import harness
from harness import Verdict

ARCHIVE = "stablehlo-conformance.tar.xz"
LEVELS = ("parse", "import", "ref", "cpu")
# What a run's message says when values differ, as opposed to something missing.
_WRONG = re.compile(r"check\w*\.|differ|expected|mismatch", re.I)
# Programs that need options of StableHLO's own interpreter.
_NOT_OURS = re.compile(r"RUN-DISABLED|RUN:.*(--args|--probe|CHECK-ERROR"
                       r"|print-dense)")


def programs(folder):
    """Files whose first lines do not say that they are not to be run."""
    for path in sorted(folder.rglob("*.mlir")):
        head = "".join(path.read_text(errors="replace").splitlines(True)[:6])
        if not _NOT_OURS.search(head):
            yield path


def judge(tool, level, files, settings):
    """{file: [answer, …]} of partita-conformance, one answer a part."""
    done = subprocess.run(
        [str(tool), level, "20", str(settings.jobs)], text=True,
        input="".join(f"{f}\n" for f in files), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{tool} {level}: exit status {done.returncode}")
    answers = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        answers[answer["file"]].append(answer)
    return answers


def verdict(name, level, answers):
    """One verdict on the parts of a file."""
    bad = [a for a in answers if a["state"] != "ok"]
    if not bad:
        return Verdict(name, "right")
    worst = max(bad, key=lambda a: a["state"] != "error")
    detail = f"{worst['state']}: {worst['message'][:200]}"
    if level == "parse" or worst["state"] != "error":
        return Verdict(name, "failed", detail)
    if level in ("ref", "cpu") and _WRONG.search(worst["message"]):
        return Verdict(name, "failed", detail)
    return Verdict(name, "awaits", detail, reason=reason(worst["message"]))


def reason(message):
    """What a refused program awaits, in a few words."""
    for kind in ("shape is dynamic", "which is quantized"):
        if kind in message:
            return kind.rsplit(" ", 1)[-1] + " types"
    message = message.split("error:", 1)[-1].strip()
    found = re.search(r"\b(?:stablehlo|chlo|core|check|interpreter|func)"
                      r"\.\w+|@[\w.]+", message)
    return found.group(0) if found else message[:40]


def check(folder, settings):
    tool = harness.tool(settings, "partita-conformance")
    files = [f for f in programs(folder) if re.search(settings.filter, str(f))]
    verdicts, counts = [], {}
    for level in LEVELS:
        if level in ("ref", "cpu"):
            kept = {f"{v.name.rsplit(' ', 1)[0]}" for v in verdicts
                    if v.name.endswith(" import") and v.state == "right"}
            files = [f for f in files if str(f.relative_to(folder)) in kept]
            if not settings.full and level == "cpu":
                files = [f for f in files if hash_of(f, folder) % 4 == 0]
        answers = judge(tool, level, files, settings)
        made = [verdict(f"{f.relative_to(folder)} {level}", level,
                        answers[str(f)]) for f in files]
        counts_of = collections.Counter(v.state for v in made)
        print(f"stablehlo {level}: {counts_of['right']} of {len(files)} right, "
              f"{counts_of['awaits']} await something, {counts_of['failed']} "
              "failed", flush=True)
        sampled = level == "cpu" and not settings.full
        if not settings.filter:
            counts[level + (" (every fourth)" if sampled else "")] = (
                counts_of["right"])
        verdicts += made
    return verdicts, counts


def hash_of(file, folder):
    """A number that depends on the name alone."""
    return sum(str(file.relative_to(folder)).encode())


def main():
    parser = harness.options(__doc__.split("\n", 1)[0])
    parser.add_argument("--full", action="store_true",
                        help="run every program on cpu, not every fourth")
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with tarfile.open(pathlib.Path(settings.corpora, ARCHIVE)) as archive:
            archive.extractall(folder, filter="data")
        verdicts, counts = check(folder, settings)
        return harness.finish("stablehlo", verdicts, settings, counts)


if __name__ == "__main__":
    sys.exit(main())

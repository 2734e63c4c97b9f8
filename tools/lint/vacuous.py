"""A lit test asserts something that is false of its input.

Every lit test is run again with the passes taken out of its partita-opt command
lines (a stand-in for partita-opt drops them). A test from which something was
dropped and that passes all the same proves nothing about its pass.

Needs a build: check(tree) reports nothing without one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

from lint.tree import Finding

_STAND_IN = '''#!{python} -I
"""Runs the real partita-opt without passes; notes for which test."""
import os, pathlib, sys
flags = set(pathlib.Path({flags!r}).read_text().split())
def is_pass(word):
    name = word.lstrip("-").split("=", 1)[0]
    return word.startswith("-") and (name in flags or name == "pass-pipeline")
words = [w for w in sys.argv[1:] if not is_pass(w)]
if len(words) + 1 < len(sys.argv):
    tests = [os.path.realpath(w) for w in words if os.path.isfile(w)]
    if not tests:
        tests = [os.path.realpath("/proc/self/fd/0")]
    with open({log!r}, "a") as log:
        log.write("".join(t + "\\n" for t in tests))
os.execv({tool!r}, ["partita-opt", *words])
'''


def pass_flags(tool):
    """The flags of all passes and pipelines that partita-opt knows."""
    told = subprocess.run([tool, "--help"], capture_output=True,
                          text=True).stdout
    at = re.search(r"^\s*(?:Passes|Compiler passes to run).*$", told, re.M)
    if not at:
        return []
    indent, flags = None, []
    for line in told[at.end():].splitlines():
        found = re.match(r"(\s+)--?([\w-]+)", line)
        if line.strip() and not line.startswith(" "):
            break
        if line.startswith("  --") and not line.startswith("   "):
            break  # back at the options of the tool
        if not found:
            continue
        indent = indent or len(found.group(1))
        if len(found.group(1)) <= indent:
            flags.append(found.group(2))
    return flags


def _lit(root, build, stand_in_folder, report, jobs):
    """Runs lit with the stand-in first in the PATH; its report."""
    subprocess.run(
        ["/usr/lib/llvm-22/bin/lit", "-q", f"-j{jobs}", "-o", str(report),
         f"--param=build={build}", f"--param=drop-passes={stand_in_folder}",
         str(root / "tests")], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    return json.loads(report.read_text())["tests"] if report.exists() else []


def check(tree):
    build = os.environ.get("PARTITA_LINT_BUILD")
    tool = pathlib.Path(build or "", "bin", "partita-opt")
    if not build or not tool.exists():
        return []
    folder = pathlib.Path(build, "lit-vacuous-bin").resolve()
    folder.mkdir(exist_ok=True)
    flags, log, report = (folder / n for n in ("flags", "log", "report.json"))
    flags.write_text("\n".join(pass_flags(tool)))
    log.write_text("")
    report.unlink(missing_ok=True)
    stand_in = folder / "partita-opt"
    stand_in.write_text(_STAND_IN.format(
        python=sys.executable, flags=str(flags), log=str(log),
        tool=str(tool.resolve())))
    stand_in.chmod(0o755)
    root = tree.root.resolve()
    tests = _lit(root, build, folder, report, len(os.sched_getaffinity(0)))
    dropped = set(log.read_text().splitlines())
    findings = []
    for test in tests:
        path = root / "tests" / test["name"].split(" :: ", 1)[1]
        if test["code"] == "PASS" and str(path.resolve()) in dropped:
            findings.append(Finding(
                str(path.relative_to(root)), 1,
                "passes without its pass too: check for something that is "
                "false of the input"))
    return findings

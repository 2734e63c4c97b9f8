"""Runs the tests: every suite yields a count of passed, failed and skipped.

A suite is a function (context) -> Outcome. `./dev test` runs all of them in the
order below, and ends with one line that sums them up; `./dev test unit lit` runs
only those named. Details of what failed are printed as they occur.
"""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor

from dev import building, linting, packages
from dev.base import (CORES, LLVM_BIN, ROOT, Failure, corpora_dir, say,
                      tracked_files)


@dataclasses.dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Outcome(self.passed + other.passed, self.failed + other.failed,
                       self.skipped + other.skipped)

    def __str__(self):
        return (f"{self.passed} passed, {self.failed} failed, "
                f"{self.skipped} skipped")


@dataclasses.dataclass
class Context:
    build: pathlib.Path
    jobs: int
    filter: str


def unit(context):
    """GoogleTest executables, by ctest; counts their single cases."""
    reports = context.build / "gtest"
    shutil.rmtree(reports, ignore_errors=True)
    junit = context.build / "ctest.xml"
    junit.unlink(missing_ok=True)
    command = ["ctest", f"-j{context.jobs}", "--output-on-failure", "--quiet",
               "--timeout", "300", "--output-junit", str(junit)]
    if context.filter:
        command += ["-R", context.filter]
    subprocess.run(command, cwd=context.build,
                   env=dict(os.environ, GTEST_OUTPUT=f"json:{reports}/"))
    outcome = Outcome()
    if not junit.exists():
        return outcome
    for case in xml.parse(junit).iter("testcase"):
        report = reports / (case.get("name") + ".json")
        counts = json.loads(report.read_text()) if report.exists() else {}
        bad = case.find("failure") is not None or case.get("status") == "fail"
        failed = max(counts.get("failures", 0), int(bad))
        skipped = counts.get("disabled", 0)
        total = max(counts.get("tests", 1), failed + skipped)
        outcome += Outcome(total - failed - skipped, failed, skipped)
        if bad:
            print(f"FAILED unit test {case.get('name')}:")
            print(case.findtext("system-out") or "")
    return outcome


def _lit_can_limit_time():
    """lit needs psutil of the system's Python, which runs it."""
    return subprocess.run(["/usr/bin/python3", "-c", "import psutil"],
                          stderr=subprocess.DEVNULL).returncode == 0


def lit(context):
    """The .mlir tests, by lit."""
    if not any(f.startswith("tests/") for f in tracked_files("*.mlir")):
        return Outcome()
    report = context.build / "lit.json"
    report.unlink(missing_ok=True)
    command = [LLVM_BIN / "lit", "-q", "-v", "--allow-empty-runs",
               f"-j{context.jobs}", "-o", report,
               f"--param=build={context.build}", ROOT / "tests"]
    if _lit_can_limit_time():
        command.append("--timeout=300")
    if context.filter:
        command += ["--filter", context.filter]
    done = subprocess.run(list(map(str, command)), cwd=ROOT)
    if not report.exists():
        return Outcome(failed=1) if done.returncode else Outcome()
    outcome = Outcome()
    for test in json.loads(report.read_text())["tests"]:
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            outcome.passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            outcome.skipped += test["code"] != "EXCLUDED"
        else:
            outcome.failed += 1
    return outcome


def lint(context):
    """The project's rules, each one test, and what lint.vacuous needs."""
    results = linting.lint(build=context.build, quiet=True)
    bad = sum(bool(findings) for findings in results.values())
    return Outcome(len(results) - bad, bad)


def _interpreter():
    """The Python that runs test scripts: one with NumPy where possible."""
    try:
        return packages.python_with_numpy()
    except Failure as failure:
        say(f"NO NUMPY: {failure}. Tests that need it are skipped")
        return pathlib.Path(sys.executable)


def _counts(command, context, name):
    """Runs a script that writes its counts to the file behind --summary."""
    summary = context.build / "summaries" / f"{name}.json"
    summary.parent.mkdir(exist_ok=True)
    summary.unlink(missing_ok=True)
    done = subprocess.run([*map(str, command), "--summary", str(summary)],
                          cwd=ROOT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=dict(os.environ, PARTITA_BUILD=str(
                              context.build), PYTHONDONTWRITEBYTECODE="1"))
    counts = json.loads(summary.read_text()) if summary.exists() else {}
    outcome = Outcome(**counts) if counts else Outcome(failed=1)
    if done.returncode and not outcome.failed:
        outcome.failed = 1
    return outcome, done.stdout


def python(context):
    """tests/**/test_*.py: of the lints, of ./dev, of the documentation."""
    files = [name for name in tracked_files("test_*.py")
             if name.startswith("tests/") and context.filter in name]
    interpreter = _interpreter()

    def one(name):
        return _counts([interpreter, "tools/dev/unittests.py", name], context,
                       pathlib.PurePath(name).stem)

    outcome = Outcome()
    with ThreadPoolExecutor(context.jobs) as pool:
        for name, (counts, output) in zip(files, pool.map(one, files)):
            outcome += counts
            if counts.failed:
                print(f"FAILED {name}:\n{output}")
    return outcome


def roundtrip(context):
    """tests/corpora/roundtrip.py: one test, that every program parses and
    prints so that it parses to the same again."""
    if not corpora_dir().is_dir():
        return Outcome(skipped=1)
    done = subprocess.run(
        [sys.executable, "tests/corpora/roundtrip.py", "--import", "--tools",
         context.build / "bin", "--corpora", corpora_dir(), "--jobs",
         str(context.jobs)], cwd=ROOT, stdin=subprocess.DEVNULL)
    return Outcome(failed=1) if done.returncode else Outcome(passed=1)


def _corpus(script, *more):
    def suite(context):
        if not corpora_dir().is_dir() or not (
                context.build / "bin" / "partita").exists():
            say(f"SKIPPED: {script} needs the corpora and partita")
            return Outcome(skipped=1)
        outcome, output = _counts(
            [_interpreter(), f"tests/corpora/{script}.py", "--tools",
             context.build / "bin", "--corpora", corpora_dir(), "-j",
             context.jobs, "--filter", context.filter, *more], context, script)
        print(output, end="")
        return outcome
    suite.__doc__ = " ".join([f"tests/corpora/{script}.py", *more])
    return suite


SUITES = {"unit": unit, "lit": lit, "lint": lint, "python": python,
          "sharding": _corpus("check_sharding"),
          "models": _corpus("check_jax", "--models"),
          "roundtrip": roundtrip, "stablehlo": _corpus("check_stablehlo"),
          "jax": _corpus("check_jax")}


def test(options):
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        raise Failure(f"no suite {', '.join(unknown)}; there are "
                      f"{', '.join(SUITES)}")
    folder = building.build(options.preset, jobs=options.jobs)
    context = Context(folder, options.jobs, options.filter)
    total, lines = Outcome(), []
    if not corpora_dir().is_dir():
        say(f"NO CORPORA at {corpora_dir()}: the tests that need them are "
            "skipped (set PARTITA_CORPORA to where they lie)")
    for name in options.suites or SUITES:
        say(f"suite {name}")
        start = time.monotonic()
        outcome = SUITES[name](context)
        total += outcome
        seconds = time.monotonic() - start
        lines.append(f"{name:8} {str(outcome):42} {seconds:6.1f} s")
    print("\n".join(lines))
    print(total, flush=True)
    return 1 if total.failed or not total.passed else 0


def add_parser(commands):
    p = commands.add_parser("test", help="build, then run the tests")
    p.add_argument("suites", nargs="*", metavar="SUITE",
                   help=f"of {', '.join(SUITES)}; default: all")
    p.add_argument("--preset", default="release")
    p.add_argument("--filter", default="",
                   help="unit, lit: only tests whose name matches this")
    p.add_argument("-j", "--jobs", type=int, default=CORES)
    p.set_defaults(call=test)

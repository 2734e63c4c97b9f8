"""What the corpus checks share: running `partita run`, comparing arrays,
verdicts, and the table of what is known to work.

A check yields one Verdict per program. Its `state` is
    right     results are equal, as the corpus defines it
    awaits    refused with exit status 1 and a diagnostic that names an operation
              and a line: something that Partita does not have yet
    known     as failed, but expected.json lists it among "known failures": a
              defect to mend, told each time and counted as skipped
    failed    wrong results, a crash, a time-out, a diagnostic without a place,
              or no longer right although expected.json says that it was
`expected.json` holds, per list, the names that are right; a name may be added
(--update does it) and must not be lost. Needs NumPy.
"""
import argparse
import collections
import dataclasses
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.json"


@dataclasses.dataclass
class Verdict:
    name: str
    state: str            # right, awaits, failed
    detail: str = ""
    marks: tuple = ()     # further lists of expected.json that it belongs to
    reason: str = ""      # for awaits: what is missing


# Bits of the exponent and of the mantissa, bias; "fn": no infinities, one NaN
# pattern; "fnuz": no negative zero, whose pattern is the NaN.
_SMALL_FLOATS = {
    "float8_e4m3fn": (4, 3, 7, "fn"), "float8_e5m2": (5, 2, 15, "ieee"),
    "float8_e4m3": (4, 3, 7, "ieee"), "float8_e3m4": (3, 4, 3, "ieee"),
    "float8_e4m3b11fnuz": (4, 3, 11, "fnuz"),
    "float8_e4m3fnuz": (4, 3, 8, "fnuz"), "float8_e5m2fnuz": (5, 2, 16, "fnuz"),
}


def _table(exponent_bits, mantissa_bits, bias, kind):
    """The value of each of the 256 patterns of an 8-bit float."""
    bits = np.arange(256)
    sign = np.where(bits >> 7, -1.0, 1.0)
    top = (1 << exponent_bits) - 1
    exponent = (bits >> mantissa_bits) & top
    mantissa = (bits & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    value = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias),
                     (1 + mantissa) * 2.0 ** (exponent - bias))
    if kind == "ieee":
        special = np.where(mantissa == 0, np.inf, np.nan)
        value = np.where(exponent == top, special, value)
    elif kind == "fn":
        value = np.where(bits & 127 == 127, np.nan, value)
    else:
        value = np.where(bits == 128, np.nan, value)
    return sign * value


def is_exact(dtype):
    """Whether the kind is an integer or a boolean."""
    return dtype.startswith(("int", "uint", "bool"))


def decode(array, dtype):
    """An array of raw bits of a kind that NumPy lacks -> its values."""
    if dtype == "bfloat16" and array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    if dtype in _SMALL_FLOATS and array.dtype == np.uint8:
        return _table(*_SMALL_FLOATS[dtype])[array]
    return array


def is_denormal(array):
    """Where an f32, or the bits of one, is denormal."""
    if array.dtype.itemsize != 4:
        return np.zeros(array.shape, bool)
    bits = np.ascontiguousarray(array).view(np.uint32)
    return (bits & 0x7F800000 == 0) & (bits & 0x7FFFFF != 0)


def share_of_difference(got, want):
    """Largest absolute difference over the largest magnitude of what is
    wanted; infinite for another shape, or NaNs and infinities elsewhere. For
    integers and booleans: the share of elements that differ."""
    if got.shape != want.shape:
        return float("inf")
    if not want.size:
        return 0.0
    if want.dtype.kind in "iub":
        return float(np.mean(got.astype(np.int64) != want.astype(np.int64)))
    wide = complex if want.dtype.kind == "c" else float
    got, want = got.astype(wide), want.astype(wide)
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return float("inf")
    if not finite.any():
        return 0.0
    off = np.abs(got[finite] - want[finite]).max()
    most = np.abs(want[finite]).max()
    share = off / most if most else (0.0 if off == 0 else off / 1e-30)
    return float(share) if np.isfinite(share) else float("inf")


@dataclasses.dataclass
class Result:
    """What one call of partita left."""
    status: int           # exit status; negative: a signal; None: a time-out
    stderr: str = ""
    outputs: dict = dataclasses.field(default_factory=dict)
    report: dict = dataclasses.field(default_factory=dict)

    def collectives(self):
        """{kind: [count, result bytes, wire bytes]} a device and step."""
        made = collections.defaultdict(lambda: [0, 0, 0])
        for c in self.report.get("collectives", ()):
            total = made[c["kind"]]
            total[0] += c["count"]
            total[1] += c["count"] * c["result_bytes"]
            total[2] += c["count"] * c["wire_bytes"]
        return {kind: total for kind, total in made.items() if total[0]}

    def wire_bytes(self):
        return sum(total[2] for total in self.collectives().values())

    def contradictions(self):
        """What the report says that cannot be so together."""
        said = []
        unsure = {c["kind"] for c in self.report.get("collectives", ())
                  if not c["exact"]}
        counted = {kind: [c["count"], c["result_bytes"]] for kind, c in
                   self.report.get("counters", {}).items()
                   if c["count"] and kind not in unsure}
        told = {kind: t[:2] for kind, t in self.collectives().items()
                if kind not in unsure}
        if counted != told:
            said.append(f"counters {counted} differ from collectives {told}")
        memory = self.report.get("memory", {})
        predicted = memory.get("predicted_peak_bytes")
        measured = memory.get("measured_peak_bytes")
        # The peak may be in a branch that was not taken.
        is_less = bool(unsure) and all(
            m <= p for m, p in zip(measured or (), predicted or ()))
        if predicted and measured and predicted != measured and not is_less:
            said.append(f"predicted peak {predicted[0]} B, measured "
                        f"{measured[0]} B")
        return said


def unpacked(path, folder):
    """The path of a .mlir file, unpacked into the folder when it is .xz."""
    if path.exists():
        return path
    text = lzma.open(f"{path}.xz").read()
    target = pathlib.Path(folder) / path.name
    target.write_bytes(text)
    return target


def run(tool, source, *options, inputs=None, timeout=120):
    """Calls `partita run`; reads what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        source = unpacked(source, folder)
        out, report = (pathlib.Path(folder, n) for n in ("o.npz", "r.json"))
        command = [tool, "run", source, *options, "--out", out, "--report",
                   report]
        if inputs:
            command += ["--inputs", inputs]
        try:
            done = subprocess.run(
                list(map(str, command)), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                errors="replace", timeout=timeout)
        except subprocess.TimeoutExpired:
            return Result(None)
        result = Result(done.returncode, done.stderr)
        if done.returncode == 0:
            try:
                with np.load(out) as arrays:
                    result.outputs = dict(arrays)
                result.report = json.loads(report.read_text())
            except (OSError, ValueError, EOFError, zipfile.BadZipFile) as e:
                result.status = 0
                result.stderr = f"unreadable output: {e}"
                result.report = None
        return result


_OPERATION = re.compile(r"\b(?:stablehlo|chlo|sdy|mhlo|core|func|check|"
                        r"interpreter|jax|vhlo)\.[a-z_]\w*|@\w+")
_PLACE = re.compile(r"[\w.-]+\.(?:mlir|py|mlirbc)\"?:\d+")


def refusal(name, result):
    """The verdict on a run that did not end with exit status 0."""
    lines = [line for line in result.stderr.splitlines() if "error" in line]
    first = (lines or result.stderr.strip().splitlines() or [""])[0]
    if result.status is None:
        return Verdict(name, "failed", "time-out")
    if result.status < 0:
        return Verdict(name, "failed", f"signal {-result.status}: {first}")
    operation = _OPERATION.search(first.split("error:", 1)[-1])
    if result.status != 1 or not _PLACE.search(first) or not operation:
        return Verdict(name, "failed", f"exit status {result.status} without a "
                       f"diagnostic that names operation and line: {first}")
    return Verdict(name, "awaits", first.strip(), reason=operation.group(0))


def options(description):
    p = argparse.ArgumentParser(description=description)
    p.add_argument("--tools", required=True, help="folder of the binaries")
    p.add_argument("--corpora", required=True)
    p.add_argument("--summary", help="write counts here, as JSON")
    p.add_argument("--update", action="store_true",
                   help="add what is right to expected.json")
    p.add_argument("--accept-failures", action="store_true",
                   help="with --update: list what fails as known failures")
    p.add_argument("--filter", default="", help="only names that match this")
    p.add_argument("-j", "--jobs", type=int,
                   default=len(os.sched_getaffinity(0)))
    p.add_argument("-v", "--verbose", action="store_true")
    return p


def run_all(tasks, settings):
    """Runs (name, function) tasks in parallel; their verdicts, in order."""
    chosen = [(name, task) for name, task in tasks
              if re.search(settings.filter, name)]

    def one(item):
        name, task = item
        try:
            verdict = task()
        except Exception as e:  # a check must not take the others with it
            verdict = Verdict(name, "failed", f"{type(e).__name__}: {e}")
        if settings.verbose:
            print(f"{verdict.state:7} {name}: {verdict.detail}", flush=True)
        return verdict

    with ThreadPoolExecutor(settings.jobs) as pool:
        return list(pool.map(one, chosen))


def _pin_names(suite, verdicts, table, update):
    """Fails those that were right and no longer are; prints and, to update,
    adds to the lists of names."""
    lists = {suite: {v.name for v in verdicts if v.state == "right"}}
    for v in verdicts:
        for mark in v.marks:
            lists.setdefault(f"{suite}: {mark}", set()).add(v.name)
    ran = {v.name: v for v in verdicts}
    for key in [k for k in table if k == suite or k.startswith(suite + ": ")]:
        lists.setdefault(key, set())
    for key, names in sorted(lists.items()):
        known = set(table.get(key, ()))
        for name in sorted((known & set(ran)) - names):
            ran[name].state = "failed"
            ran[name].detail += f"; no longer in the list \"{key}\""
        gained = names - known
        if gained and update:
            table[key] = sorted(known | names)
        elif gained and known:
            print(f"{suite}: {len(gained)} more in \"{key}\" than "
                  "expected.json says; --update adds them")
        print(f"{suite}: {len(names)} of {len(verdicts)} in \"{key}\"")


def pin_counts(suite, counts, table, update):
    """The same for mere counts, {label: right ones}; verdicts on those that
    have fallen."""
    known = table.setdefault(f"{suite} counts", {})
    fallen = []
    for label, count in counts.items():
        if count < known.get(label, 0):
            fallen.append(Verdict(label, "failed", f"{count} right, "
                                  f"{known[label]} were"))
        elif update:
            known[label] = count
    return fallen


def set_known_apart(suite, verdicts, table, settings):
    """Marks the failures that expected.json knows of. --update forgets those
    that are mended; --accept-failures adds those that are left."""
    key = f"{suite} known failures"
    known = set(table.get(key, ()))
    failed = {v.name for v in verdicts if v.state == "failed"}
    mended = known & {v.name for v in verdicts} - failed
    if mended:
        print(f"{suite}: mended, to be taken off \"{key}\" by --update: "
              + ", ".join(sorted(mended)))
    if settings.accept_failures:
        known |= failed
    if settings.update:
        known -= mended
        table[key] = sorted(known)
    for v in verdicts:
        if v.state == "failed" and v.name in known:
            v.state = "known"
            print(f"KNOWN FAILURE {suite} {v.name}: {v.detail}")


def finish(suite, verdicts, settings, counts=None):
    """Compares with expected.json (by name, or the counts when given), prints,
    writes the summary; exit status."""
    table = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    if counts is None:
        _pin_names(suite, verdicts, table, settings.update)
    else:
        verdicts += pin_counts(suite, counts, table, settings.update)
    set_known_apart(suite, verdicts, table, settings)
    if settings.update:
        EXPECTED.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    states = collections.Counter(v.state for v in verdicts)
    reasons = collections.Counter(v.reason for v in verdicts
                                  if v.state == "awaits")
    for v in verdicts:
        if v.state == "failed" and not settings.verbose:
            print(f"FAILED {suite} {v.name}: {v.detail}")
    if reasons:
        print(f"{suite}: {states['awaits']} await: " + ", ".join(
            f"{reason} {count}" for reason, count in reasons.most_common(12)))
    summary = {"passed": states["right"], "failed": states["failed"],
               "skipped": states["awaits"] + states["known"]}
    if settings.summary:
        pathlib.Path(settings.summary).write_text(json.dumps(summary))
    print(f"{suite}: {states['right']} right, {states['awaits']} await an "
          f"operation, {states['known']} known failures, {states['failed']} "
          "failed", flush=True)
    return 1 if states["failed"] else 0


def tool(settings, name="partita"):
    path = pathlib.Path(settings.tools, name)
    if not path.exists():
        sys.exit(f"{path}: no such program; build first")
    return path

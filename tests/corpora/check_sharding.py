"""Small programs on which sharding compilers were seen to fail.

    python check_sharding.py --tools build/release/bin --corpora DIR

Each must give the right values on `cpu` and `ref`; the list "within the
communication" of expected.json holds those that also send no more than the
least that is known (corpora/sharding/README.md).
"""
import functools
import json
import pathlib
import re
import sys

import numpy as np

import harness
from harness import Verdict


def _refused_as_it_must(name, right, result):
    """The verdict on a program that is invalid."""
    if result.status == 0:
        return Verdict(name, "failed", "an invalid module was accepted")
    if result.status != 1:
        return harness.refusal(name, result)
    if not re.search(rf":{right['line']}\b", result.stderr):
        return Verdict(name, "failed", "the diagnostic does not name line "
                       f"{right['line']}: {result.stderr.strip()[:200]}")
    return Verdict(name, "right", marks=("within the communication",))


def _costs(right, result):
    """What is too much in the communication."""
    said, made = [], result.collectives()
    wire = result.wire_bytes()
    if wire > right["max_wire_bytes"]:
        said.append(f"{wire:.0f} B on the wire, {right['max_wire_bytes']} do")
    said += [f"{kind} is not needed" for kind in right["forbidden"]
             if kind in made]
    if right.get("stderr_mentions", "") not in result.stderr:
        said.append(f"no warning that mentions {right['stderr_mentions']}")
    return said


def check(tool, folder, backend):
    expect = json.loads((folder / "expect.json").read_text())
    right, name = expect["right"], f"{folder.name} {backend}"
    result = harness.run(tool, folder / "case.mlir", "--backend", backend,
                         inputs=folder / "inputs.npz")
    if right.get("diagnostic"):
        return _refused_as_it_must(name, right, result)
    if result.status != 0:
        return harness.refusal(name, result)
    if result.report is None:
        return Verdict(name, "failed", result.stderr)
    with np.load(folder / "outputs.npz") as wanted:
        for key in wanted.files:
            want, got = wanted[key], result.outputs.get(key)
            if got is None:
                return Verdict(name, "failed", f"{key} is missing")
            limit = 0 if want.dtype.kind in "iub" else expect["rtol"]
            off = harness.share_of_difference(got, want)
            if off > limit:
                return Verdict(name, "failed", f"{key} is off by {off:.3g}")
    if backend == "cpu" and result.contradictions():
        return Verdict(name, "failed", "; ".join(result.contradictions()))
    costs = _costs(right, result)
    made = json.dumps(result.collectives())
    return Verdict(name, "right", "; ".join([*costs, made]),
                   () if costs else ("within the communication",))


def main():
    settings = harness.options(__doc__.split("\n", 1)[0]).parse_args()
    folder = pathlib.Path(settings.corpora, "sharding")
    tool = harness.tool(settings)
    todo = [(f"{path.parent.name} {backend}",
             functools.partial(check, tool, path.parent, backend))
            for path in sorted(folder.glob("*/expect.json"))
            if "skipped" not in json.loads(path.read_text())
            for backend in ("cpu", "ref")]
    return harness.finish("sharding", harness.run_all(todo, settings), settings)


if __name__ == "__main__":
    sys.exit(main())

"""Compiles and runs one program with Partita and with XLA, taking turns.

    python compare.py FILE.mlir --partita build/release/bin/partita
           [--description meta.json] [--inputs F.npz] [--rounds 3] [--steps 3]

Needs JAX. Each round compiles with Partita anew and runs some steps, then lets
XLA (compiled once, in a process that waits) run as many. Prints one JSON object:
medians, and the ratios Partita ÷ XLA. Random inputs are made as the description
(meta.json or inputs.json beside the file) says.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

WORKER = pathlib.Path(__file__).resolve().with_name("xla_worker.py")


def make_inputs(path, arguments, seed=0):
    """Writes a0, a1, …; bfloat16 as raw bits, rounded to nearest even."""
    draw, made = np.random.default_rng(seed), {}
    for i, argument in enumerate(arguments):
        init, shape = argument["init"], argument["shape"]
        if init["kind"] == "randint":
            x = draw.integers(init["low"], init["high"], shape)
        elif init["kind"] == "constant":
            x = np.full(shape, init["value"])
        else:
            x = draw.normal(init["mean"], init["scale"], shape)
        if argument["dtype"] == "bfloat16":
            bits = x.astype(np.float32).view(np.uint32)
            bits += 0x7FFF + (bits >> 16 & 1)
            made[f"a{i}"] = (bits >> 16).astype(np.uint16)
        else:
            made[f"a{i}"] = x.astype(argument["dtype"])
    np.savez(path, **made)


class Xla:
    """The waiting worker."""

    def __init__(self, program, inputs):
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), str(program), "--inputs",
             str(inputs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.compile_seconds = self._answer()["compile_seconds"]

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("XLA's process ended early (see above)")
        return json.loads(line)

    def step(self):
        self.process.stdin.write("step\n")
        self.process.stdin.flush()
        return self._answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_partita(tool, program, inputs, steps, scratch):
    """The report of one run."""
    report = pathlib.Path(scratch, "report.json")
    subprocess.run([str(tool), "run", str(program), "--inputs", str(inputs),
                    "--steps", str(steps), "--report", str(report)], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())


def _same_losses(ours, theirs):
    """Largest relative difference of scalar results, step by step."""
    off = 0.0
    for a, b in zip(ours, theirs):
        for position, value in b["scalars"].items():
            got = a["scalars"].get(position, float("nan"))
            off = max(off, abs(got - value) / max(abs(value), 1e-30))
    return off


def compare(tool, program, inputs, rounds, steps):
    with tempfile.TemporaryDirectory() as scratch:
        xla = Xla(program, inputs)
        try:
            compiles, ours, theirs, off = [], [], [], None
            for _ in range(rounds):
                report = run_partita(tool, program, inputs, steps + 1, scratch)
                answers = [xla.step() for _ in range(steps + 1)]
                if off is None:  # XLA's state goes on; only the first compares
                    off = _same_losses(report["steps"], answers)
                compiles.append(sum(p["seconds"] for p in report["phases"]))
                ours += [s["seconds"] for s in report["steps"][1:]]
                theirs += [a["seconds"] for a in answers[1:]]
        finally:
            xla.close()
    memory = report["memory"].get("predicted_peak_bytes", [0])
    result = {"compile": statistics.median(compiles),
              "xla_compile": xla.compile_seconds,
              "step": statistics.median(ours),
              "xla_step": statistics.median(theirs),
              "scalars_off": off, "peak_bytes": max(memory)}
    result["compile_ratio"] = result["compile"] / result["xla_compile"]
    result["step_ratio"] = result["step"] / result["xla_step"]
    return result


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("program", type=pathlib.Path)
    p.add_argument("--partita", required=True)
    p.add_argument("--description", type=pathlib.Path)
    p.add_argument("--inputs", type=pathlib.Path)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--steps", type=int, default=3)
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        inputs = o.inputs
        if not inputs:
            inputs = pathlib.Path(scratch, "inputs.npz")
            description = o.description or next(
                path for name in ("meta.json", "inputs.json")
                if (path := o.program.parent / name).exists())
            make_inputs(inputs, json.loads(description.read_text())["arguments"])
        print(json.dumps(compare(o.partita, o.program, inputs, o.rounds,
                                 o.steps)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

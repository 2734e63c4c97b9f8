"""./dev demo: a sharded training step, compiled, run and shown."""
import json
import pathlib
import subprocess
import tempfile

from demo import arrays, show
from dev import building
from dev.base import ROOT, Failure, corpora_dir, say

EXAMPLE = ROOT / "examples" / "transformer" / "train_step.mlir"
CORPUS = pathlib.PurePath("jax", "gpt", "dp4_tp2.mlir")


def _choose(given):
    """(program, its description or None, inputs or None)."""
    program = pathlib.Path(given) if given else corpora_dir() / CORPUS
    if not given and not program.exists():
        program = EXAMPLE
    if not program.exists():
        raise Failure(f"{program}: no such file")
    for name in ("inputs.json", "meta.json"):
        description = program.parent / name
        if description.exists():
            inputs = program.parent / "inputs.npz"
            return (program, json.loads(description.read_text()),
                    inputs if inputs.exists() else None)
    return program, None, None


def run_partita(tool, program, inputs, steps, report, *options):
    """One run; its report. `inputs`: an .npz file, or None for random ones."""
    command = [tool, "run", program, "--steps", steps, "--report", report,
               *(["--inputs", inputs] if inputs else ["--seed", 0]), *options]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL)
    if done.returncode:
        raise Failure("partita run failed (its message is above)")
    return json.loads(pathlib.Path(report).read_text())


def demo(options):
    folder = building.build(options.preset, ["partita"])
    tool = folder / "bin" / "partita"
    program, description, inputs = _choose(options.program)
    say(f"compiling and running {program}")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        if description and not inputs:
            inputs = scratch / "inputs.npz"
            arrays.write_inputs(inputs, description["arguments"])
        report = run_partita(tool, program, inputs, options.steps,
                             scratch / "many.json")
        single = run_partita(tool, program, inputs, options.steps,
                             scratch / "one.json", "--mesh", "none")
    title = f"{program.name} of {program.parent.name}, {options.steps} steps"
    print(show.page(report, single, title,
                    (description or {}).get("loss_result")))
    return 0


def add_parser(commands):
    p = commands.add_parser("demo", help="a sharded training step, shown")
    p.add_argument("program", nargs="?", help="a StableHLO file with Shardy "
                   "annotations; default: a small language model")
    p.add_argument("--steps", type=int, default=5)
    p.add_argument("--preset", default="release")
    p.set_defaults(call=demo)

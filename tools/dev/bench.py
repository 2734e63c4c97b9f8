"""./dev bench: compile and step times beside XLA's."""
import json
import pathlib
import subprocess

from dev import building, packages
from dev.base import ROOT, Failure, corpora_dir, say

CASES = ROOT / "benchmarks" / "cases.json"


def find(name):
    """A program's path: as given, in the repository, or in the corpora."""
    for path in (pathlib.Path(name), ROOT / name, corpora_dir() / name):
        if path.exists():
            return path
    return None


def line(name, r):
    return (f"{name:34} compile {r['compile']:7.2f} s ÷ {r['xla_compile']:6.2f}"
            f" = {r['compile_ratio']:5.2f}   step {r['step'] * 1e3:9.2f} ms ÷ "
            f"{r['xla_step'] * 1e3:9.2f} = {r['step_ratio']:5.2f}   losses off "
            f"{r['scalars_off']:.0e}")


def bench(options):
    groups = json.loads(CASES.read_text())
    names = []
    for given in options.cases or ["quick"]:
        names += groups.get(given, [given])
    folder = building.build(options.preset, ["partita"])
    python = packages.python_with_jax()
    status = 0
    for name in names:
        program = find(name)
        if not program:
            if name in options.cases:
                raise Failure(f"no group and no file {name}; groups: "
                              f"{', '.join(groups)}")
            say(f"SKIPPED {name}: no such file here")
            continue
        done = subprocess.run(
            [python, ROOT / "tools/bench/compare.py", program, "--partita",
             folder / "bin" / "partita", "--rounds", str(options.rounds),
             "--steps", str(options.steps)], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            say(f"FAILED {name}")
            status = 1
            continue
        label = f"{program.parent.name}/{program.stem}"
        print(line(label, json.loads(done.stdout)), flush=True)
    return status


def add_parser(commands):
    p = commands.add_parser("bench", help="times beside XLA's")
    p.add_argument("cases", nargs="*",
                   help="groups of benchmarks/cases.json, or files")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--steps", type=int, default=3, help="steps a round")
    p.add_argument("--preset", default="release")
    p.set_defaults(call=bench)

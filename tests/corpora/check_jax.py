"""Programs that JAX emitted: equal results on every back-end and mesh.

    python check_jax.py --tools build/release/bin --corpora DIR
                        [--models] [--full]

With --models, the dense models (MODELS): every variant on `ref` and `cpu`, the
results of one step and the losses of five, and on meshes that it was not
annotated for; further the communication: exactly what PINS says, and never more
bytes on the wire than XLA's. Without, all other programs: right, or a
diagnostic that names what is missing. They run on `cpu` in every variant, on
`ref` in that with most devices, which is enough to tell a wrong program from
wrong code; --full runs all. corpora/jax/README.md defines "equal".
"""
import functools
import json
import pathlib
import sys

import numpy as np

import harness
from harness import Verdict

MODELS = ("mlp", "gpt", "llama", "llama-bf16")
BACKENDS = ("cpu", "ref")
MESHES = ((1,), (2, 2), (4, 2), (2, 4), (3,))
# Exactly these collectives a device and step: kind -> (count, result bytes);
# a count of None allows pieces.
PINS = {
    "mlp/tp8": {"all-reduce": (1, 3072)},
    "mlp/dp8": {"all-reduce": (None, 83012)},
    "mlp/fsdp8": {"all-gather": (1, 65536), "reduce-scatter": (1, 8192),
                  "all-reduce": (None, 17476)},
}
FORBIDDEN = {"gpt/tp8_sp": ("all-to-all",)}


class Case:
    """One folder of the corpus."""

    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.meta = json.loads((folder / "meta.json").read_text())
        self.has_arrays = (folder / "outputs.npz").exists()

    @functools.cached_property
    def wanted(self):
        with np.load(self.folder / "outputs.npz") as arrays:
            return dict(arrays)

    def allowed(self, entry):
        """The share of difference allowed in a result."""
        noise = 4 * entry.get("noise", 0.0)
        if harness.is_exact(entry["dtype"]):
            return noise
        return max(self.meta["rtol"], noise)

    def is_denormal(self, got, want):
        """Where a result of `dtypes-denormals` depends on a denormal number:
        itself is one, or an input at that place or, unless the result is
        elementwise, in that row. Floats are stored as their bits."""
        with np.load(self.folder / "inputs.npz") as arrays:
            inputs = list(arrays.values())
        mask = harness.is_denormal(got) | harness.is_denormal(want)
        for array in inputs:
            inside = harness.is_denormal(array)
            if array.shape == mask.shape:
                mask |= inside
            if array.shape[:1] == mask.shape[:1]:
                rows = inside.any(axis=tuple(range(1, array.ndim)))
                mask |= rows.reshape(-1, *[1] * (mask.ndim - 1))
        return mask

    def worst(self, outputs):
        """(largest difference in units of what is allowed, where)."""
        worst = (0.0, "")
        for i, entry in enumerate(self.meta["results"]):
            if f"r{i}" not in outputs:
                return float("inf"), f"r{i}, which is missing"
            got, want = (harness.decode(a[f"r{i}"], entry["dtype"])
                         for a in (outputs, self.wanted))
            if self.name == "dtypes-denormals":  # keeping or flushing is right
                got = np.where(self.is_denormal(got, want), want, got)
            off = harness.share_of_difference(got, want)
            if off:
                allowed = self.allowed(entry)
                units = off / allowed if allowed else float("inf")
                worst = max(worst, (units, entry.get("name", f"r{i}")))
        return worst

    def loss_trouble(self, report):
        """What is wrong with the losses of the steps; None when nothing."""
        losses, position = self.meta["losses"], self.meta.get("loss_result")
        if position is None:
            return None
        got = [s["scalars"][str(position)] for s in report["steps"]]
        if len(got) < len(losses):
            return f"{len(got)} losses, not {len(losses)}"
        limit = max(1e-5, self.meta["rtol"])
        for step, (a, b) in enumerate(zip(got, losses)):
            if not abs(a - b) <= limit * abs(b):
                return f"loss {a:.9g} in step {step}, not {b:.9g}"
        return None


def adapted(sizes, axes):
    """Mesh sizes for the axes of a variant: surplus sizes are multiplied into
    the last axis, surplus axes get size 1. (2, 4) on [data] -> [8]."""
    sizes = list(sizes)
    while len(sizes) > len(axes):
        last = sizes.pop()
        sizes[-1] *= last
    return sizes + [1] * (len(axes) - len(sizes))


def communication(case, variant, result):
    """What is wrong with the communication of a variant as annotated."""
    said, name = [], f"{case.name}/{variant}"
    made = result.collectives()
    pin = PINS.get(name)
    if pin is not None:
        want = {kind: (count or made.get(kind, [0])[0], size)
                for kind, (count, size) in pin.items()}
        got = {kind: tuple(total[:2]) for kind, total in made.items()}
        if got != want:
            said.append(f"collectives {got}, not {want}")
    said += [f"{kind} is not needed" for kind in FORBIDDEN.get(name, ())
             if kind in made]
    return said


def yardsticks(case, variant, result):
    """(what to tell of bytes beside XLA's, lists of expected.json that the
    variant belongs to)."""
    said, marks = [], []
    xla = case.meta["variants"][variant].get("xla", {})
    if "collectives" in xla:
        wire, most = result.wire_bytes(), sum(
            total[2] for total in xla["collectives"].values()
            if isinstance(total, list))
        said.append(f"{wire:.0f} B on the wire (XLA {most})")
        if wire <= most and case.name in MODELS:
            marks.append("no more bytes than XLA")
    peaks = result.report.get("memory", {}).get("predicted_peak_bytes")
    if peaks and "temp_bytes" in xla:
        bytes_of_xla = xla["argument_bytes"] + xla["temp_bytes"]
        said.append(f"peak {max(peaks)} B, {max(peaks) / bytes_of_xla:.2f} of "
                    "XLA's")
    if case.name in MODELS:
        costs = communication(case, variant, result)
        said += costs
        if not costs:
            marks.append("communication as pinned")
    return said, tuple(marks)


def check(tool, case, variant, backend, mesh=None, losses=True):
    """The verdict on one program, back-end and mesh."""
    axes = case.meta["variants"][variant].get("mesh", [])
    name = f"{case.name}/{variant} {backend}"
    options = ["--backend", backend]
    if mesh:
        text = ",".join(f"{a[0]}={n}" for a, n in zip(axes, mesh))
        name += f" {text}"
        options += ["--mesh", text]
    if losses and case.meta["losses"]:
        options += ["--steps", str(len(case.meta["losses"]))]
    result = harness.run(tool, case.folder / f"{variant}.mlir", *options,
                         inputs=case.folder / "inputs.npz", timeout=300)
    if result.status != 0:
        return harness.refusal(name, result)
    if result.report is None:
        return Verdict(name, "failed", result.stderr)
    units, at = case.worst(result.outputs)
    trouble = [f"{units:.3g} times what is allowed at {at}"] if units > 1 else []
    trouble += result.contradictions() if backend == "cpu" else []
    if losses and case.meta["losses"] and units <= 1:
        trouble += filter(None, [case.loss_trouble(result.report)])
    detail, marks = f"{units:.2g} of what is allowed", ()
    if not mesh:
        said, marks = yardsticks(case, variant, result)
        detail += "".join(f", {text}" for text in said)
    if trouble:
        return Verdict(name, "failed", "; ".join(trouble))
    return Verdict(name, "right", detail, marks)


def most_devices(case):
    """The variant of a case that has most devices, the first of those."""
    def count(variant):
        return np.prod([size for _, size in
                        case.meta["variants"][variant].get("mesh", [])])
    return max(case.meta["variants"], key=count)


def tasks(tool, folder, of_models, is_full):
    """(name, function) of everything to check."""
    made = []

    def add(case, variant, *rest, **named):
        call = functools.partial(check, tool, case, variant, *rest, **named)
        mesh = named.get("mesh")
        label = f"{case.name}/{variant} {rest[0]}" + (f" {mesh}" if mesh else "")
        made.append((label, call))

    cases = [Case(path.parent) for path in sorted(folder.glob("*/meta.json"))]
    for case in cases:
        if not case.has_arrays or (case.name in MODELS) != of_models:
            continue
        for variant, info in case.meta["variants"].items():
            if not of_models:
                add(case, variant, "cpu", losses=False)
                if is_full or variant == most_devices(case):
                    add(case, variant, "ref", losses=False)
                continue
            for backend in BACKENDS:
                add(case, variant, backend)
                axes = info.get("mesh", [])
                sizes = {tuple(adapted(s, axes)) for s in MESHES if axes}
                for mesh in sorted(sizes - {tuple(a[1] for a in axes)}):
                    add(case, variant, backend, mesh=mesh,
                        losses=backend == "cpu")
    return made


def main():
    parser = harness.options(__doc__.split("\n", 1)[0])
    parser.add_argument("--models", action="store_true",
                        help=f"{', '.join(MODELS)} instead of the others")
    parser.add_argument("--full", action="store_true",
                        help="every variant on both back-ends")
    settings = parser.parse_args()
    folder = pathlib.Path(settings.corpora) / "jax"
    todo = tasks(harness.tool(settings), folder, settings.models,
                 settings.full)
    suite = "models" if settings.models else "jax"
    return harness.finish(suite, harness.run_all(todo, settings), settings)


if __name__ == "__main__":
    sys.exit(main())

"""Turns the reports of `partita run` into a page that is readable at a glance."""
import statistics


def size(count):
    """Bytes for people: 83012 -> '81.1 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024


def duration(seconds):
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def mesh_text(report):
    mesh = report["mesh"]
    if not mesh:
        return "one device"
    axes = " x ".join(f"{name}={count}" for name, count in mesh)
    return f"{axes}: {report['devices']} devices"


def collective_lines(report):
    """One line for each kind, axes and reduction: count and bytes a step."""
    groups = {}
    for c in report["collectives"]:
        kind = c["kind"]
        if c.get("reduction") not in (None, "", "none", "sum"):
            kind += f" ({c['reduction']})"
        total = groups.setdefault((kind, tuple(c["axes"])), [0, 0, 0])
        total[0] += c["count"]
        total[1] += c["count"] * c["result_bytes"]
        total[2] += c["count"] * c["wire_bytes"]
    lines = [f"  {kind:22} over {', '.join(axes):14} {count:5} x"
             f" {size(result):>10} of results {size(wire):>10} sent"
             for (kind, axes), (count, result, wire)
             in sorted(groups.items(), key=lambda item: -item[1][2])]
    counts = [sum(total[i] for total in groups.values()) for i in range(3)]
    if not lines:
        return ["  none"]
    return [*lines, f"  {'all':42} {counts[0]:5} x {size(counts[1]):>10}"
            f" of results {size(counts[2]):>10} sent"]


def memory_lines(report):
    memory = report["memory"]
    # The device that needs most speaks for all.
    at = max(range(len(memory["predicted_peak_bytes"])),
             key=memory["predicted_peak_bytes"].__getitem__)
    predicted = memory["predicted_peak_bytes"][at]
    lines = [f"  arguments {size(memory['argument_bytes'][at])}, temporaries "
             f"{size(memory['temporary_bytes'][at])}"]
    measured = memory.get("measured_peak_bytes")
    if not measured:
        return [*lines, f"  peak: predicted {size(predicted)}"]
    verdict = ("equal" if memory["predicted_peak_bytes"] == measured
               else "NOT EQUAL")
    return [*lines, f"  peak: predicted {predicted:,} B, measured "
            f"{measured[at]:,} B on every device: {verdict}"]


def phase_lines(report):
    total = sum(p["seconds"] for p in report["phases"])
    lines = []
    for phase in report["phases"]:
        share = phase["seconds"] / total if total else 0
        bar = "#" * round(40 * share)
        lines.append(f"  {phase['name']:12} {duration(phase['seconds']):>9}  "
                     f"{bar}".rstrip())
    return lines


def loss_position(reports, given=None):
    """The result that is the loss: as given, else the last scalar."""
    if given is not None:
        return str(given)
    scalars = reports[0]["steps"][0].get("scalars", {})
    return max(scalars, key=int) if scalars else None


def median_step(report):
    """Seconds; the first step is left out where there are more."""
    seconds = [step["seconds"] for step in report["steps"]]
    return statistics.median(seconds[1:] or seconds)


def loss_lines(report, single, position):
    lines = [f"  {'step':6} {report['devices']:>4} devices   one device   "
             "relative difference"]
    for i, (many, one) in enumerate(zip(report["steps"], single["steps"])):
        a, b = many["scalars"][position], one["scalars"][position]
        off = abs(a - b) / abs(b) if b else abs(a - b)
        lines.append(f"  {i + 1:<6} {a:12.7g} {b:12.7g}   {off:.1e}")
    return lines


def page(report, single, title, loss_result=None):
    """The whole text: `report` of the run on the mesh, `single` of the run on
    one device."""
    compile_seconds = sum(p["seconds"] for p in report["phases"])
    lines = [title, "", f"mesh: {mesh_text(report)}", "",
             "collectives of a device and step:", *collective_lines(report), "",
             "memory of a device:", *memory_lines(report), "",
             f"compile time: {duration(compile_seconds)}",
             *phase_lines(report), "",
             f"step time: {duration(median_step(report))} on "
             f"{report['devices']} devices, {duration(median_step(single))} on "
             "one (they share this machine's cores)"]
    position = loss_position([report], loss_result)
    if position is not None:
        lines += ["", "loss:", *loss_lines(report, single, position)]
    return "\n".join(lines)

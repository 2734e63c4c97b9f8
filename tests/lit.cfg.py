"""lit's configuration: how the .mlir tests find the tools and their options.

Run by `./dev test lit`, or by hand:
    /usr/lib/llvm-22/bin/lit -v tests/ir [--param build=build/dev]

Substitutions: %partita-opt, %partita, %partita-equiv, %corpora and %{python}; the tools are
on the PATH as well, without the percent sign. Feature `corpora`: the folder of
larger programs is there ($PARTITA_CORPORA, else ../shared/corpora).
`--param drop-passes=FLAGS-FILE` is for tools/lint/vacuous.py, which reruns
every test without its passes.
"""
import os
import pathlib
import sys

import lit.formats

config.name = "Partita"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["inputs", "corpora", "unit"]

root = pathlib.Path(__file__).resolve().parent.parent
llvm_bin = pathlib.Path("/usr/lib/llvm-22/bin")
given = lit_config.params.get("build")
builds = [pathlib.Path(given)] if given else [root / "build" / p for p in ("release", "dev")]
built = [b for b in builds if (b / "bin").is_dir()]
build = max(built or builds, key=lambda b: (b / "bin").stat().st_mtime if built else 0).resolve()

config.test_source_root = str(root / "tests")
config.test_exec_root = str(build / "lit")

tools = build / "bin"
dropping = lit_config.params.get("drop-passes")
if dropping:
    tools = pathlib.Path(dropping)
    config.test_exec_root = str(build / "lit-vacuous")
    config.environment["PARTITA_TOOLS"] = str(build / "bin")
config.environment["PATH"] = os.pathsep.join(
    [str(tools), str(build / "bin"), str(llvm_bin), os.environ["PATH"]])

for tool in ("partita-opt", "partita-equiv"):
    config.substitutions.append((f"%{tool}", tool))
config.substitutions.append((r"%partita(?![-\w])", "partita"))

config.substitutions.append((r"%\{python\}", sys.executable))

corpora = pathlib.Path(os.environ.get("PARTITA_CORPORA", root.parent / "shared" / "corpora"))
config.substitutions.append(("%corpora", str(corpora)))
if corpora.is_dir():
    config.available_features.add("corpora")
for tool in ("partita-opt", "partita", "partita-equiv"):
    if (build / "bin" / tool).exists():
        config.available_features.add(tool)

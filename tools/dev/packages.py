"""Installs what is missing: Debian packages, and a Python with NumPy."""
import os
import pathlib
import shutil
import subprocess

from dev.base import ROOT, Failure, run, say

# Everything that building and testing needs. The CUDA toolkit is not among it.
DEBIAN = """
    ccache clang-22 clang-format-22 clang-tidy-22 cmake libabsl-dev libgmock-dev
    libgtest-dev libmlir-22-dev libprotobuf-dev libzip-dev lld-22 llvm-22-dev
    llvm-22-tools mlir-22-tools ninja-build nlohmann-json3-dev pkg-config
    protobuf-compiler pybind11-dev python3-dev python3-psutil python3-venv
    zlib1g-dev
""".split()

NUMPY = "numpy>=1.24,<3"
JAX = "jax==0.10.2"
VENV = ROOT / "build" / "venv"


def missing_packages(names):
    """Those of the Debian packages that are not installed."""
    if not shutil.which("dpkg-query"):
        raise Failure(
            "this is not a Debian system: install the equivalents of "
            f"{' '.join(names)}, then set PARTITA_NO_INSTALL=1")
    told = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
        capture_output=True, text=True).stdout
    have = {line.split()[0] for line in told.splitlines()
            if line.endswith(" installed")}
    return [name for name in names if name not in have]


def install_packages(names=DEBIAN):
    """Installs the Debian packages that are missing; quick when none is."""
    if os.environ.get("PARTITA_NO_INSTALL"):
        return
    missing = missing_packages(names)
    if not missing:
        return
    prefix = []
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise Failure("these packages are missing, and only root can "
                          f"install them: apt-get install {' '.join(missing)}")
        prefix = ["sudo"]
    say(f"installing {' '.join(missing)}")
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    run([*prefix, "apt-get", "-qq", "update"], env=quiet)
    run([*prefix, "apt-get", "-qq", "install", "-y", "--no-install-recommends",
         *missing], env=quiet, stdout=subprocess.DEVNULL)


def _imports(python, *modules):
    """Whether the interpreter exists and imports the modules."""
    try:
        return subprocess.run(
            [python, "-c", "import " + ", ".join(modules)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ).returncode == 0
    except OSError:
        return False


def _make_venv(requirement):
    """Adds a package to build/venv; the error text of pip, or None."""
    python = VENV / "bin" / "python"
    if not python.exists():
        run(["python3", "-m", "venv", VENV])
    say(f"installing {requirement} into {VENV.relative_to(ROOT)}")
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet",
         "--disable-pip-version-check", requirement],
        capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def python_with_numpy():
    """A Python interpreter that has NumPy: $PARTITA_PYTHON, else build/venv,
    which is made when missing, else Debian's own Python and NumPy."""
    given = os.environ.get("PARTITA_PYTHON")
    if given:
        if not _imports(given, "numpy"):
            raise Failure(f"PARTITA_PYTHON={given} has no numpy")
        return pathlib.Path(given)
    python = VENV / "bin" / "python"
    if _imports(python, "numpy"):
        return python
    trouble = _make_venv(NUMPY)
    if trouble is None:
        return python
    say("pip could not install numpy (is the package registry out of reach?); "
        "falling back to Debian's python3-numpy. pip said: "
        + trouble.splitlines()[-1])
    install_packages(["python3-numpy"])
    if not _imports("/usr/bin/python3", "numpy"):
        raise Failure("no Python with numpy: pip failed (above) and "
                      "/usr/bin/python3 does not import it")
    return pathlib.Path("/usr/bin/python3")


def python_with_jax():
    """A Python interpreter that has the JAX release that results are compared
    with; Failure when it cannot be installed."""
    given = os.environ.get("PARTITA_PYTHON")
    for python in filter(None, (given, VENV / "bin" / "python")):
        if _imports(python, "jax", "numpy"):
            return pathlib.Path(python)
    trouble = _make_venv(JAX)
    if trouble:
        raise Failure(f"pip could not install {JAX} (is the package registry "
                      f"out of reach?): {trouble.splitlines()[-1]}")
    return VENV / "bin" / "python"

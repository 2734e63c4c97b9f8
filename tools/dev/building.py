"""Configures and builds."""
import os
import shutil

from dev import packages
from dev.base import CORES, ROOT, build_dir, run, say


def _environment():
    """ccache must be told that precompiled headers may be cached, and that
    builds in other folders are as good."""
    return {"CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,"
                                 "include_file_ctime",
            "CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(ROOT.parent),
            **os.environ}


def build(preset="release", targets=(), jobs=CORES):
    """Installs what is missing, configures when needed, builds the targets
    (all of them by default); returns the build folder."""
    packages.install_packages()
    folder = build_dir(preset)
    if not (folder / "build.ninja").exists():
        say(f"configuring {folder.relative_to(ROOT)}")
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / "configure.log"
        try:
            with log.open("w") as out:
                run(["cmake", "--preset", preset], stdout=out, stderr=out)
        except Exception:
            print(log.read_text()[-4000:])
            (folder / "CMakeCache.txt").unlink(missing_ok=True)
            raise
    ninja = shutil.which("ninja") or "ninja-build"
    run([ninja, "-C", folder, f"-j{jobs}", "--quiet", *targets],
        env=_environment())
    return folder


def add_parser(commands):
    p = commands.add_parser("build", help="configure and build")
    p.add_argument("targets", nargs="*", help="default: everything")
    p.add_argument("--preset", default="release",
                   help="release (default), dev, asan-ubsan, tsan")
    p.add_argument("-j", "--jobs", type=int, default=CORES)
    p.set_defaults(call=lambda o: build(o.preset, o.targets, o.jobs) and 0)

"""What every part of ./dev shares: places, running of commands, messages."""
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
CORES = len(os.sched_getaffinity(0))


class Failure(Exception):
    """Ends the command with this message and exit status 1."""


def build_dir(preset):
    return ROOT / "build" / preset


def corpora_dir():
    """The folder of test programs beside the repository, or where the
    environment says; it need not exist."""
    given = os.environ.get("PARTITA_CORPORA")
    return pathlib.Path(given) if given else ROOT.parent / "shared" / "corpora"


def say(message):
    """Progress, on stderr."""
    print(f"dev: {message}", file=sys.stderr, flush=True)


def run(command, **options):
    """Runs a command in the repository root; Failure when it fails."""
    command = [str(word) for word in command]
    options.setdefault("cwd", ROOT)
    done = subprocess.run(command, **options)
    if done.returncode:
        shown = " ".join(map(shlex.quote, command))
        raise Failure(f"exit status {done.returncode} from: {shown}")
    return done


def tracked_files(*patterns):
    """Paths of the repository's files (tracked, or new and not ignored) that
    match any of the glob patterns, relative to ROOT and sorted."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = [pathlib.PurePath(name) for name in listed.splitlines()]
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive
        names = [path.relative_to(ROOT) for path in ROOT.rglob("*")
                 if path.is_file() and path.relative_to(ROOT).parts[0]
                 not in ("build", ".git")]
    found = [name for name in names
             if not patterns or any(name.match(p) for p in patterns)]
    return sorted(str(name) for name in found if (ROOT / name).is_file())

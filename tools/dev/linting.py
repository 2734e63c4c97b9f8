"""./dev lint and ./dev fmt."""
import hashlib
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from dev import building, packages
from dev.base import CORES, ROOT, Failure, build_dir, say, tracked_files
from lint import formatting, headers, runner, sizes
from lint.layers import includes
from lint.tree import CPP_FOLDERS, Tree


def lint(chosen=runner.LINTS, build=None, quiet=False):
    """{lint: findings}; prints each finding. `build` is a build folder with
    partita-opt, or None: then lints that need one find nothing."""
    if build:
        os.environ["PARTITA_LINT_BUILD"] = str(build)
    results = runner.run(ROOT, tracked_files(), chosen)
    for name, findings in results.items():
        for finding in findings:
            print(f"{finding} [{name}]")
        if not quiet:
            print(f"lint {name:10} {len(findings) or 'no'} findings")
    return results


def _tidy_key(tree, name, seen):
    """What clang-tidy's verdict on a file depends on: its text and that of
    the repository's headers below it."""
    seen.add(name)
    key = tree.read(name)
    for included, _ in includes(key):
        if tree.exists(included) and included not in seen:
            key += _tidy_key(tree, included, seen)
    return key


def _changed_files(base):
    """Names of the C++ sources that differ from a commit."""
    told = subprocess.run(["git", "diff", "--name-only", base], cwd=ROOT,
                          capture_output=True, text=True)
    if told.returncode:
        raise Failure(f"git diff {base}: {told.stderr.strip()}")
    return set(told.stdout.split())


def tidy(base=None, preset="release"):
    """clang-tidy on every source (or those changed since `base`), skipping
    what it approved before; the number of files with findings."""
    folder = build_dir(preset)
    if not (folder / "compile_commands.json").exists():
        building.build(preset)
    compiled = {os.path.relpath(entry["file"], ROOT) for entry in
                json.loads((folder / "compile_commands.json").read_text())}
    tree = Tree(ROOT, tracked_files())
    names = [n for n in tree.match("*.cpp", under=CPP_FOLDERS) if n in compiled]
    if base:
        changed = _changed_files(base)
        names = [n for n in names if n in changed]
    cache_file = ROOT / "build" / "tidy.json"
    cache = json.loads(cache_file.read_text()) if cache_file.exists() else {}
    settings = (ROOT / ".clang-tidy").read_text()

    def examine(name):
        key = hashlib.sha256(
            (settings + _tidy_key(tree, name, set())).encode()).hexdigest()
        if cache.get(name) == key:
            return 0
        done = subprocess.run(
            ["clang-tidy-22", "--quiet", "-p", str(folder), name], cwd=ROOT,
            capture_output=True, text=True)
        if done.returncode == 0:
            cache[name] = key
            return 0
        print(re.sub(r"^\d+ warnings? .*\n", "", done.stdout, flags=re.M)
              or done.stderr, end="", flush=True)
        return 1

    start = time.monotonic()
    try:
        with ThreadPoolExecutor(CORES) as pool:
            bad = sum(pool.map(examine, names))
    finally:  # What is approved stays so where the run is interrupted.
        cache_file.write_text(json.dumps(cache))
    say(f"clang-tidy: {bad} of {len(names)} files with findings, "
        f"{time.monotonic() - start:.0f} s")
    return bad


def _lint_command(options):
    packages.install_packages()
    built = [build_dir(p) for p in ("release", "dev")
             if (build_dir(p) / "bin" / "partita-opt").exists()]
    if not built:
        say("no build yet: lints that need one are left out")
    results = lint(options.lints or runner.LINTS, built[0] if built else None)
    tree = Tree(ROOT, tracked_files())
    print(sizes.report(tree))
    bad = any(results.values())
    if options.tidy:
        bad |= bool(tidy(options.since))
    return int(bad)


def _format(_):
    packages.install_packages(["clang-format-22"])
    tree = Tree(ROOT, tracked_files())
    for name in tree.match("*.h", "*.cpp", "*.td", under=CPP_FOLDERS):
        text = headers.tidied(tree.read(name))
        if text != tree.read(name):
            (ROOT / name).write_text(text)
    names = formatting.sources(tree)
    for start in range(0, len(names), 100):
        subprocess.run(["clang-format-22", "-i", *names[start:start + 100]],
                       cwd=ROOT, check=True)


def add_parser(commands):
    p = commands.add_parser("lint", help="the project's rules")
    p.add_argument("lints", nargs="*", metavar="LINT",
                   help=f"of {', '.join(runner.LINTS)}; default: all")
    p.add_argument("--tidy", action="store_true", help="clang-tidy as well")
    p.add_argument("--since", metavar="COMMIT",
                   help="--tidy: only files that differ from this commit")
    p.set_defaults(call=_lint_command)
    p = commands.add_parser("fmt", help="format the C++ sources in place")
    p.set_defaults(call=_format)

"""Every command that the README shows runs, and prints what the README shows.

A block marked ```console holds commands behind "$ " and what they print. They
run in order, in a scratch folder from which the repository's folders can be
seen. Numbers may differ from those shown; "..." stands for any lines.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PARTITA_BUILD", ROOT / "build/release"))
_NUMBER = re.compile(r"\d[\d,.]*(?:e[+-]?\d+)?(?: ?(?:[KMG]iB|B|ms|µs|s)\b)?")


def blocks(text):
    """[(command, shown lines)] of all ```console blocks."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return found


def pattern(shown):
    """A regular expression for what a command may print. Runs of spaces and of
    # (bars) may have any length."""
    parts = []
    for line in shown:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        words = _NUMBER.sub("\0", line.strip())
        words = re.escape(re.sub(r"#+", "\1", words))
        words = re.sub(r"(?:\\ )+", r" *", words)
        words = words.replace("\0", r"[-\d][\w,.+-]*(?: ?(?:[KMG]iB|B|ms|µs|s)\b)?")
        parts.append(" *" + words.replace("\1", "#*") + r" *\n")
    return "".join(parts)


class Readme(unittest.TestCase):
    def test_commands_print_what_is_shown(self):
        commands = blocks((ROOT / "README.md").read_text())
        if not (BUILD / "bin" / "partita").exists():
            self.skipTest("needs partita")
        path = f"{BUILD.resolve() / 'bin'}:{os.environ['PATH']}"
        with tempfile.TemporaryDirectory() as folder:
            for name in ("examples", "docs"):
                (pathlib.Path(folder) / name).symlink_to(ROOT / name)
            for command, shown in commands:
                done = subprocess.run(
                    ["bash", "-ec", command], cwd=folder, text=True,
                    capture_output=True, env=dict(os.environ, PATH=path))
                self.assertEqual(done.returncode, 0,
                                 f"{command}\n{done.stderr}")
                self.assertRegex(done.stdout + "\n",
                                 re.compile(pattern(shown)), command)

    def test_dev_commands_exist(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        told = subprocess.run([ROOT / "dev", "--help"], capture_output=True,
                              text=True).stdout
        for page in pages:
            for name in re.findall(r"\./dev ([a-z][\w-]*)", page.read_text()):
                self.assertRegex(told, rf"\n    {name}\s", page.name)

    def test_patterns_mask_numbers_only(self):
        shown = ["mesh: data=4", "...", "step time: 12.3 ms ####"]
        good = "mesh: data=8\nx\ny\nstep time: 9 µs #\n"
        self.assertRegex(good, pattern(shown))
        self.assertNotRegex(good.replace("mesh", "mush"), pattern(shown))


if __name__ == "__main__":
    unittest.main()

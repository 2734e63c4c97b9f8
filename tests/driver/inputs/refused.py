"""Compiles and runs each program of a folder with partita, and prints what is
said. Fails unless each is refused: exit code 1, a message that names the file
and says error, and nothing written."""
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
outputs = folder / "outputs"
outputs.mkdir()
for source in sorted(folder.glob("*.mlir*")):
    for command in ("compile {} -o {}/package --report {}/report --dump-dir "
                    "{}/dumps --emit partitioned",
                    "compile {} -o {}/package --report {}/report",
                    "run {} --seed 1 --out {}/results --report {}/report",
                    "run {} --backend ref --out {}/results",
                    "explain {} --json {}/json --html {}/html"):
        words = command.replace("{}", str(source), 1).replace(
            "{}", str(outputs)).split()
        done = subprocess.run(["partita", *words], capture_output=True,
                              text=True, timeout=60)
        said = done.stderr
        assert done.returncode == 1, (words, done.returncode, said)
        assert source.name in said and "error: " in said, (words, said)
        assert "Partita itself" not in said, (words, said)
        left = [p for p in outputs.rglob("*")
                if p.is_file() and p.parent.name != "dumps"]
        assert not left, (words, left)
    print(said, end="")

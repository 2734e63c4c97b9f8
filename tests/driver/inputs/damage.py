"""Runs a command on a file cut short in some ways, and with single bits changed
in some: the numbers are arguments. Fails unless it ends with exit code 0 or 1, in time, in the latter
case with a message that names the file and without writing FILE.out, and never
by a fault. Of files cut short nothing may be accepted."""
import pathlib
import random
import subprocess
import sys

command, source = sys.argv[1], pathlib.Path(sys.argv[2])
num_cuts, num_changes = map(int, sys.argv[3:])
content = source.read_bytes()
damaged = source.with_name("damaged" + source.suffix)
output = damaged.with_name(damaged.name + ".out")
draw = random.Random(1)


def run(what, data, may_pass):
    damaged.write_bytes(data)
    output.unlink(missing_ok=True)
    done = subprocess.run(command.replace("{}", str(damaged)).split(),
                          capture_output=True, timeout=60)
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 1 or (may_pass and done.returncode == 0), (
        what, done.returncode, said)
    assert "Partita itself" not in said, (what, said)
    if done.returncode == 1:
        assert damaged.name in said and "error: " in said, (what, said)
        assert not output.exists(), what


lengths = range(len(content))
if num_cuts < len(content):
    lengths = sorted(draw.sample(lengths, num_cuts))
for length in lengths:
    run(f"cut to {length} bytes", content[:length], False)
for _ in range(num_changes):
    at, bit = draw.randrange(len(content)), draw.randrange(8)
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    run(f"bit {bit} of byte {at}", bytes(changed), True)

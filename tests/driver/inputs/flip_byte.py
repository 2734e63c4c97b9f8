"""Copies a file with one bit changed in its middle."""
import pathlib
import sys

content = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
content[len(content) // 2] ^= 1
pathlib.Path(sys.argv[2]).write_bytes(content)

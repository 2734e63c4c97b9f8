"""Fails unless all archives hold the same floats, but for rounding."""
import struct
import sys
import zipfile


def read(path):
    with zipfile.ZipFile(path) as file:
        arrays = {}
        for name in file.namelist():
            content = file.read(name)
            start = 10 + struct.unpack("<H", content[8:10])[0]
            arrays[name] = struct.unpack(f"<{(len(content) - start) // 4}f",
                                         content[start:])
        return arrays


expected = read(sys.argv[1])
for path in sys.argv[2:]:
    arrays = read(path)
    assert arrays.keys() == expected.keys(), path
    for name, values in arrays.items():
        assert len(values) == len(expected[name]), (path, name)
        for a, b in zip(values, expected[name]):
            assert abs(a - b) <= 1e-5 * max(1, abs(b)), (path, name, a, b)

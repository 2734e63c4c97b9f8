"""Writes archives of arguments, good and bad, for a program that takes a
tensor<4xf32> and a tensor<2xi32>, to the folder that is given."""
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

from demo.arrays import npy  # noqa: E402

FLOATS = npy([4], "float32", [1, 2, 3, 4])
INTEGERS = npy([2], "int32", [5, 6])


def write(path, arrays):
    with zipfile.ZipFile(path, "w") as file:
        for name, content in arrays.items():
            file.writestr(name + ".npy", content)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "good.npz", {"a0": FLOATS, "a1": INTEGERS})
    write(folder / "few.npz", {"a0": FLOATS})
    write(folder / "many.npz", {"a0": FLOATS, "a1": INTEGERS, "a2": FLOATS})
    write(folder / "shape.npz", {"a0": npy([3], "float32", [1, 2, 3]),
                                 "a1": INTEGERS})
    write(folder / "dtype.npz", {"a0": npy([4], "float64", [1, 2, 3, 4]),
                                 "a1": INTEGERS})
    (folder / "corrupt.npz").write_bytes(
        (folder / "good.npz").read_bytes()[:100])
    (folder / "a0.npy").write_bytes(FLOATS)
    (folder / "a1.npy").write_bytes(INTEGERS)


main()

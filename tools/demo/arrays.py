"""Makes random inputs as an .npz file from a description, without NumPy.

The description is a list of {"shape", "dtype", "init"}, where init is
    {"kind": "constant", "value": x}, {"kind": "normal", "mean": m, "scale": s}
    or {"kind": "randint", "low": a, "high": b} (b is excluded).
"""
import array
import random
import zipfile

# Name of the kind -> (code of the array module, NumPy's descriptor).
_KINDS = {"float32": ("f", "<f4"), "float64": ("d", "<f8"),
          "int32": ("i", "<i4"), "int64": ("q", "<i8"),
          "uint8": ("B", "|u1"), "bool": ("B", "|b1")}


def _values(init, count, draw):
    if init["kind"] == "constant":
        return [init["value"]] * count
    if init["kind"] == "normal":
        return [draw.gauss(init["mean"], init["scale"]) for _ in range(count)]
    if init["kind"] == "randint":
        return [draw.randrange(init["low"], init["high"]) for _ in range(count)]
    raise ValueError(f"no kind of start called {init['kind']}")


def npy(shape, dtype, values):
    """The bytes of an .npy file, version 1.0."""
    code, descriptor = _KINDS[dtype]
    dims = "".join(f"{n}, " for n in shape)
    head = (f"{{'descr': '{descriptor}', 'fortran_order': False, "
            f"'shape': ({dims.rstrip() if len(shape) == 1 else dims}), }}")
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little")
            + head.encode() + array.array(code, values).tobytes())


def write_inputs(path, arguments, seed=0):
    """Writes a0, a1, … as the arguments describe them."""
    draw = random.Random(seed)
    with zipfile.ZipFile(path, "w") as file:
        for i, argument in enumerate(arguments):
            count = 1
            for size in argument["shape"]:
                count *= size
            values = _values(argument["init"], count, draw)
            file.writestr(f"a{i}.npy", npy(argument["shape"],
                                           argument["dtype"], values))

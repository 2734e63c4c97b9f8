"""The page of the demonstration, and the inputs that it makes."""
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from demo import arrays, show

REPORT = {
    "mesh": [["data", 4], ["model", 2]], "devices": 8,
    "phases": [{"name": "import", "seconds": 0.01},
               {"name": "codegen", "seconds": 0.09}],
    "collectives": [
        {"kind": "all-reduce", "axes": ["model"], "count": 2,
         "reduction": "sum", "result_bytes": 1024, "wire_bytes": 1024},
        {"kind": "all-reduce", "axes": ["model"], "count": 1,
         "reduction": "sum", "result_bytes": 2048, "wire_bytes": 2048},
        {"kind": "all-reduce", "axes": ["data"], "count": 1,
         "reduction": "max", "result_bytes": 100, "wire_bytes": 150}],
    "memory": {"argument_bytes": [10] * 8, "temporary_bytes": [2048] * 8,
               "predicted_peak_bytes": [5000] * 8,
               "measured_peak_bytes": [5000] * 8},
    "steps": [{"seconds": 9, "scalars": {"3": 2.5}},
              {"seconds": 0.5, "scalars": {"3": 1.5}}]}
SINGLE = dict(REPORT, mesh=[], devices=1,
              steps=[{"seconds": 9, "scalars": {"3": 2.5}},
                     {"seconds": 2, "scalars": {"3": 1.500015}}])


class Page(unittest.TestCase):
    def setUp(self):
        self.page = show.page(REPORT, SINGLE, "title")

    def test_it_says_what_there_is_to_know(self):
        for text in ("mesh: data=4 x model=2: 8 devices",
                     "import         10.0 ms  ####\n",
                     "compile time: 100.0 ms",
                     "predicted 5,000 B, measured 5,000 B on every device: "
                     "equal",
                     "step time: 500.0 ms on 8 devices, 2.00 s on one",
                     "2               1.5     1.500015   1.0e-05"):
            self.assertIn(text, self.page)

    def test_collectives_are_summed_by_kind_axis_and_reduction(self):
        lines = show.collective_lines(REPORT)
        self.assertEqual([" ".join(line.split()) for line in lines], [
            "all-reduce over model 3 x 4.0 KiB of results 4.0 KiB sent",
            "all-reduce (max) over data 1 x 100 B of results 150 B sent",
            "all 4 x 4.1 KiB of results 4.1 KiB sent"])

    def test_unequal_peaks_stand_out(self):
        memory = dict(REPORT["memory"], measured_peak_bytes=[5001] * 8)
        self.assertIn("NOT EQUAL", show.memory_lines({"memory": memory})[1])


class Inputs(unittest.TestCase):
    ARGUMENTS = [
        {"shape": [3, 5], "dtype": "float32",
         "init": {"kind": "normal", "mean": 1.0, "scale": 0.0}},
        {"shape": [], "dtype": "int32",
         "init": {"kind": "constant", "value": 7}},
        {"shape": [400], "dtype": "int64",
         "init": {"kind": "randint", "low": 2, "high": 4}}]

    def test_numpy_reads_them(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("needs numpy")
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            arrays.write_inputs(file.name, self.ARGUMENTS)
            read = np.load(file.name)
            self.assertEqual(read["a0"].dtype, np.float32)
            self.assertTrue((read["a0"] == np.ones((3, 5))).all())
            self.assertEqual((read["a1"].shape, int(read["a1"])), ((), 7))
            self.assertEqual(set(read["a2"].tolist()), {2, 3})

    def test_the_same_seed_gives_the_same_bytes(self):
        def made(seed):
            buffer = io.BytesIO()
            arrays.write_inputs(buffer, self.ARGUMENTS, seed)
            return buffer.getvalue()[-2000:-500]
        self.assertNotEqual(made(1), made(2))

    def test_the_example_is_described_completely(self):
        folder = ROOT / "examples" / "transformer"
        description = json.loads((folder / "inputs.json").read_text())
        main = next(line for line in
                    (folder / "train_step.mlir").read_text().splitlines()
                    if "@main(" in line)
        arguments = main.split(") -> (")[0]
        kinds = {"float32": "f32", "int32": "i32"}
        for i, argument in enumerate(description["arguments"]):
            shape = "x".join(map(str, argument["shape"]))
            self.assertIn(f"%arg{i}: tensor<{shape}x{kinds[argument['dtype']]}>",
                          arguments)
        self.assertNotIn(f"%arg{len(description['arguments'])}:", arguments)


if __name__ == "__main__":
    unittest.main()

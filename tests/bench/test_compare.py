"""The comparison takes turns, and computes medians and ratios rightly."""
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

try:
    import numpy as np

    from bench import compare
except ImportError as missing:
    raise unittest.SkipTest(f"{missing}") from missing
from dev import bench
from dev.base import corpora_dir


class Compare(unittest.TestCase):
    def test_medians_without_the_first_step(self):
        def step(seconds, loss):
            return {"seconds": seconds, "scalars": {"2": loss}}
        ours = {"phases": [{"seconds": 0.5}, {"seconds": 1.5}],
                "memory": {"predicted_peak_bytes": [10, 12]},
                "steps": [step(9, 2.0), step(1, 1.0), step(1, 0.5)]}
        xla = mock.Mock(compile_seconds=4.0)
        xla.step.side_effect = [step(9, 2.0), step(2, 1.0), step(2, 0.50001)]
        with mock.patch.object(compare, "Xla", return_value=xla), \
                mock.patch.object(compare, "run_partita", return_value=ours):
            result = compare.compare("partita", "f.mlir", "in.npz", 1, 2)
        self.assertEqual((result["compile_ratio"], result["step_ratio"]),
                         (0.5, 0.5))
        self.assertAlmostEqual(result["scalars_off"], 2e-5, places=6)
        self.assertEqual(result["peak_bytes"], 12)
        self.assertIn("=  0.50", bench.line("x", result))

    def test_inputs_are_as_described(self):
        arguments = [
            {"shape": [2, 3], "dtype": "bfloat16",
             "init": {"kind": "constant", "value": 1.0}},
            {"shape": [4], "dtype": "int32",
             "init": {"kind": "randint", "low": 5, "high": 6}}]
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            compare.make_inputs(file.name, arguments)
            read = np.load(file.name)
            self.assertTrue((read["a0"] == 0x3F80).all())
            self.assertEqual(read["a1"].tolist(), [5] * 4)

    def test_cases_exist(self):
        groups = json.loads(bench.CASES.read_text())
        for name in sum(groups.values(), []):
            if name.startswith("examples/") or corpora_dir().is_dir():
                self.assertIsNotNone(bench.find(name), name)


if __name__ == "__main__":
    unittest.main()

"""The corpus checks judge rightly: a script that writes given arrays and
reports stands for `partita`."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

try:
    import numpy as np

    import check_jax
    import check_sharding
    import check_stablehlo
    import harness
except ImportError as missing:
    raise unittest.SkipTest(f"{missing}") from missing

FAKE = """#!{python}
import json, shutil, sys, os, signal, pathlib
folder = pathlib.Path({folder!r})
how = json.loads((folder / "how.json").read_text())
sys.stderr.write(how.get("stderr", ""))
if how.get("signal"):
    os.kill(os.getpid(), how["signal"])
if not how.get("status"):
    options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
    shutil.copy(folder / "made.npz", options["--out"])
    pathlib.Path(options["--report"]).write_text(json.dumps(how["report"]))
sys.exit(how.get("status", 0))
"""
ALL_REDUCE = {"kind": "all-reduce", "count": 1, "result_bytes": 8,
              "wire_bytes": 14, "exact": True}


class FakeTest(unittest.TestCase):
    def setUp(self):
        # A model's name, whose communication is compared.
        self.folder = pathlib.Path(tempfile.mkdtemp()) / "gpt"
        self.folder.mkdir()
        self.addCleanup(shutil.rmtree, self.folder.parent)
        self.tool = self.folder / "partita"
        self.tool.write_text(FAKE.format(python=sys.executable,
                                         folder=str(self.folder)))
        self.tool.chmod(0o755)
        (self.folder / "inputs.npz").write_bytes(b"")

    def says(self, status=0, stderr="", made=None, **report):
        """What the fake does from now on."""
        signal, status = max(-status, 0), max(status, 0)
        report = {"collectives": [], "counters": {}, "steps": [], **report}
        (self.folder / "how.json").write_text(json.dumps(
            {"status": status, "signal": signal, "stderr": stderr,
             "report": report}))
        np.savez(self.folder / "made.npz", **(made or {}))


class Jax(FakeTest):
    def setUp(self):
        super().setUp()
        self.want = {"r0": np.array([1.0, -2.0], np.float32),
                     "r1": np.array([3, 4], np.int32)}
        np.savez(self.folder / "outputs.npz", **self.want)
        meta = {"rtol": 1e-5, "losses": [2.0, 1.0], "loss_result": 2,
                "jax": "0.10.2",
                "results": [{"dtype": "float32", "noise": 1e-4, "name": "w"},
                            {"dtype": "int32"}],
                "variants": {"dp8": {"mesh": [["data", 8]], "xla": {
                    "argument_bytes": 10, "temp_bytes": 6,
                    "collectives": {"all-reduce": [1, 8, 14]}}}}}
        (self.folder / "meta.json").write_text(json.dumps(meta))
        (self.folder / "dp8.mlir").write_text("")
        self.steps = [{"scalars": {"2": 2.0}}, {"scalars": {"2": 1.000001}}]

    def verdict(self, **named):
        return check_jax.check(self.tool, check_jax.Case(self.folder), "dp8",
                               "cpu", **named)

    def test_equal_results_are_right(self):
        made = dict(self.want, r0=self.want["r0"] * np.float32(1.0003))
        self.says(made=made, steps=self.steps)
        verdict = self.verdict()
        self.assertEqual(verdict.state, "right", verdict)
        self.assertIn("no more bytes than XLA", verdict.marks)

    def test_results_beyond_the_noise_are_wrong(self):
        made = dict(self.want, r0=self.want["r0"] * np.float32(1.0005))
        self.says(made=made, steps=self.steps)
        self.assertIn("times what is allowed at w", self.verdict().detail)
        self.assertEqual(self.verdict().state, "failed")

    def test_wrong_integers_shapes_and_missing_results_are_wrong(self):
        for made in ({"r1": np.array([3, 5], np.int32)},
                     {"r0": self.want["r0"][:1]}, {"r0": None}):
            made = {k: v for k, v in {**self.want, **made}.items()
                    if v is not None}
            self.says(made=made, steps=self.steps)
            self.assertEqual(self.verdict().state, "failed")

    def test_losses_are_compared(self):
        self.says(made=self.want, steps=self.steps[:1])
        self.assertIn("1 losses, not 2", self.verdict().detail)
        self.says(made=self.want, steps=[self.steps[1], self.steps[0]])
        self.assertIn("loss 1.000001 in step 0", self.verdict().detail)

    def test_more_bytes_than_xla_are_told(self):
        twice = dict(ALL_REDUCE, count=2)
        self.says(made=self.want, steps=self.steps, collectives=[twice],
                  counters={"all-reduce": {"count": 2, "result_bytes": 16}})
        self.assertNotIn("no more bytes than XLA", self.verdict().marks)
        self.assertIn("28 B on the wire (XLA 14)", self.verdict().detail)

    def test_counters_and_memory_must_agree_with_the_report(self):
        self.says(made=self.want, steps=self.steps, collectives=[ALL_REDUCE])
        self.assertIn("counters {} differ", self.verdict().detail)
        self.says(made=self.want, steps=self.steps,
                  memory={"predicted_peak_bytes": [8],
                          "measured_peak_bytes": [9]})
        self.assertIn("predicted peak 8 B, measured 9 B",
                      self.verdict().detail)

    def test_the_peak_may_be_in_a_branch_that_is_not_taken(self):
        branch = dict(ALL_REDUCE, exact=False)
        for measured, is_told in ((7, False), (9, True)):
            self.says(made=self.want, steps=self.steps, collectives=[branch],
                      memory={"predicted_peak_bytes": [8],
                              "measured_peak_bytes": [measured]})
            self.assertEqual("predicted peak" in self.verdict().detail, is_told)

    def test_the_peak_is_told_beside_xlas(self):
        self.says(made=self.want, steps=self.steps,
                  memory={"predicted_peak_bytes": [8, 12]})
        self.assertIn("peak 12 B, 0.75 of XLA's", self.verdict().detail)

    def test_refusals_must_name_operation_and_line(self):
        self.says(1, "a.mlir:3:4: error: stablehlo.fft is not supported\n")
        verdict = self.verdict()
        self.assertEqual((verdict.state, verdict.reason),
                         ("awaits", "stablehlo.fft"))
        self.says(1, "error: stablehlo.fft is not supported\n")
        self.assertEqual(self.verdict().state, "failed")
        self.says(1, "a.mlir:3:4: error: something\n")
        self.assertEqual(self.verdict().state, "failed")
        self.says(-6, "a.mlir:3:4: error: stablehlo.fft\n")
        self.assertIn("signal 6", self.verdict().detail)

    def test_mesh_sizes_are_adapted_to_the_axes(self):
        one, three = [["data", 8]], [["a", 2], ["b", 2], ["c", 2]]
        self.assertEqual(check_jax.adapted((2, 4), one), [8])
        self.assertEqual(check_jax.adapted((2, 4), three), [2, 4, 1])


class Pins(unittest.TestCase):
    def costs(self, *collectives):
        case = mock.Mock()
        case.name = "mlp"
        result = harness.Result(0, report={"collectives": collectives})
        return check_jax.communication(case, "tp8", result)

    def test_only_what_is_pinned_passes(self):
        pinned = dict(ALL_REDUCE, result_bytes=3072)
        self.assertEqual(self.costs(pinned), [])
        self.assertEqual(len(self.costs(pinned, dict(pinned, kind="all-gather")
                                        )), 1)
        self.assertEqual(len(self.costs(dict(pinned, count=2))), 1)


class Sharding(FakeTest):
    def verdict(self, **right):
        right = {"max_wire_bytes": 14, "forbidden": [], "collectives": None,
                 **right}
        (self.folder / "expect.json").write_text(
            json.dumps({"rtol": 1e-6, "right": right}))
        return check_sharding.check(self.tool, self.folder, "cpu")

    def setUp(self):
        super().setUp()
        (self.folder / "case.mlir").write_text("")
        self.want = {"r0": np.array([1, 2], np.int32)}
        np.savez(self.folder / "outputs.npz", **self.want)

    def test_right_values_within_and_beyond_the_communication(self):
        counters = {"all-reduce": {"count": 1, "result_bytes": 8}}
        self.says(made=self.want, collectives=[ALL_REDUCE], counters=counters)
        self.assertEqual(self.verdict().marks, ("within the communication",))
        self.assertEqual(self.verdict(max_wire_bytes=13).marks, ())
        self.assertEqual(self.verdict(forbidden=["all-reduce"]).marks, ())
        self.assertEqual(self.verdict(stderr_mentions="solve").marks, ())

    def test_wrong_values_fail(self):
        self.says(made={"r0": np.array([1, 3], np.int32)})
        self.assertEqual(self.verdict().state, "failed")

    def test_an_invalid_program_must_be_refused_in_its_line(self):
        self.says(1, "case.mlir:7:3: error: rank\n")
        self.assertEqual(self.verdict(diagnostic=True, line=7).state, "right")
        self.assertEqual(self.verdict(diagnostic=True, line=8).state, "failed")
        self.says(made=self.want)
        self.assertEqual(self.verdict(diagnostic=True, line=7).state, "failed")


class Table(unittest.TestCase):
    def finish(self, verdicts, expected, update=False, accept=False):
        """(exit status, table afterwards)."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "expected.json")
            path.write_text(json.dumps(expected))
            settings = mock.Mock(update=update, verbose=False, summary=None,
                                 accept_failures=accept)
            with mock.patch.object(harness, "EXPECTED", path), \
                    mock.patch("builtins.print"):
                status = harness.finish("s", verdicts, settings)
            return status, json.loads(path.read_text())

    def test_what_was_right_must_stay_right(self):
        awaits = harness.Verdict("a", "awaits")
        right = harness.Verdict("b", "right", marks=("cheap",))
        self.assertEqual(self.finish([awaits, right], {"s": ["b"]})[0], 0)
        self.assertEqual(self.finish([awaits, right], {"s": ["a"]})[0], 1)
        self.assertEqual(self.finish([harness.Verdict("b", "right")],
                                     {"s": ["b"], "s: cheap": ["b"]})[0], 1)

    def test_update_only_adds(self):
        right = harness.Verdict("b", "right", marks=("cheap",))
        self.assertEqual(self.finish([right], {"s": ["a"]}, True)[1],
                         {"s": ["a", "b"], "s: cheap": ["b"],
                          "s known failures": []})

    def test_known_failures_are_told_and_do_not_fail(self):
        def failed():
            return [harness.Verdict("c", "failed", "wrong")]
        key = "s known failures"
        self.assertEqual(self.finish(failed(), {key: ["c"]})[0], 0)
        self.assertEqual(self.finish(failed(), {key: ["d"]})[0], 1)
        self.assertEqual(self.finish(failed(), {"s": ["c"], key: []})[0], 1)
        # Listed when told to, and taken off once mended.
        self.assertEqual(self.finish(failed(), {}, True, True)[1][key], ["c"])
        mended = [harness.Verdict("c", "right")]
        self.assertEqual(self.finish(mended, {key: ["c"]}, True)[1][key], [])


class Stablehlo(unittest.TestCase):
    def test_the_worst_part_decides(self):
        def verdict(level, *states):
            return check_stablehlo.verdict("f", level, [
                {"state": s, "message": m} for s, m in states])
        lacks = ("error", "stablehlo.fft has no import")
        self.assertEqual(verdict("ref", ("ok", "")).state, "right")
        self.assertEqual(verdict("ref", ("ok", ""), lacks).reason,
                         "stablehlo.fft")
        self.assertEqual(verdict("parse", lacks).state, "failed")
        self.assertEqual(verdict("ref", lacks, ("signal 6", "")).state,
                         "failed")
        self.assertEqual(verdict("ref", ("error", "check.expect_eq: 1 differs")
                                 ).state, "failed")

    def test_counts_may_only_rise(self):
        table = {"s counts": {"ref": 5}}
        self.assertEqual(len(harness.pin_counts("s", {"ref": 4}, table, True)),
                         1)
        self.assertEqual(harness.pin_counts("s", {"ref": 6}, table, True), [])
        self.assertEqual(table, {"s counts": {"ref": 6}})


class Floats(unittest.TestCase):
    def test_small_floats_are_decoded(self):
        def value(dtype, *bits):
            return list(harness.decode(np.array(bits, np.uint8), dtype))
        self.assertEqual(value("float8_e4m3fn", 0x38, 0x7E, 0x81),
                         [1.0, 448.0, -2.0 ** -9])
        self.assertEqual(value("float8_e5m2", 0x3C, 0x7B, 0xFC),
                         [1.0, 57344.0, -np.inf])
        self.assertTrue(np.isnan(value("float8_e4m3fnuz", 0x80)[0]))
        self.assertTrue(np.isnan(value("float8_e4m3fn", 0xFF)[0]))
        self.assertEqual(harness.decode(np.array([0x3F80], np.uint16),
                                        "bfloat16")[0], 1.0)

    def test_specials_must_be_at_their_places(self):
        nan, inf = np.nan, np.inf
        share = harness.share_of_difference
        self.assertEqual(share(np.array([nan, inf]), np.array([nan, inf])), 0)
        self.assertEqual(share(np.array([nan, 1]), np.array([1, nan])), inf)
        self.assertEqual(share(np.array([nan, 2.0]), np.array([1.0, 2])), inf)


if __name__ == "__main__":
    unittest.main()

"""Compiles a StableHLO module with XLA's CPU back-end and runs it on demand.

    python xla_worker.py FILE.mlir --inputs F.npz      (needs JAX)

Prints {"compile_seconds": …, "devices": …} when ready. Then, for every line
"step" on standard input, runs one step and prints {"seconds": …, "scalars":
{"POSITION": value}}; a result feeds the argument that it aliases. Ends at the
end of its input. The caller can so take turns between XLA and Partita.
"""
import argparse
import json
import os
import re
import sys
import time


def _parse(arguments):
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("file")
    p.add_argument("--inputs", required=True)
    return p.parse_args(arguments)


def _count(text, attribute):
    found = re.search(rf"mhlo\.{attribute} = (\d+)", text)
    return int(found.group(1)) if found else 1


class Worker:
    def __init__(self, text, inputs):
        self.partitions = _count(text, "num_partitions")
        os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " "
                                   "--xla_force_host_platform_device_count="
                                   f"{self.partitions}")
        import jax
        import numpy as np
        from jax._src import compiler, sharding_impls, xla_bridge
        from jax._src.interpreters import mlir as jax_mlir
        from jax._src.lib import _jax
        from jax._src.lib.mlir import ir

        jax.config.update("jax_enable_x64", True)
        self.jax, self.np = jax, np
        backend = xla_bridge.get_backend("cpu")
        devices = tuple(backend.devices()[:self.partitions])
        module = ir.Module.parse(text, jax_mlir.make_ir_context())
        options = compiler.get_compile_options(
            1, self.partitions,
            np.array([d.id for d in devices]).reshape(1, self.partitions),
            backend=backend)
        start = time.perf_counter()
        self.program = compiler.backend_compile_and_load(
            backend, module, _jax.DeviceList(devices), options, [])
        self.compile_seconds = time.perf_counter() - start

        def shardings(given, count):
            whole = sharding_impls.GSPMDSharding.get_replicated(devices)
            return [sharding_impls.GSPMDSharding(devices, s)
                    for s in given] if given else [whole] * count

        function = next(op for op in module.body.operations
                        if op.operation.name == "func.func"
                        and op.name.value == "main").type
        self.types = [self._kind(t) for t in function.inputs]
        self.result_types = [self._kind(t) for t in function.results]
        placed = shardings(self.program.get_parameter_shardings(),
                           len(self.types))
        self.result_shardings = shardings(self.program.get_output_shardings(),
                                          len(self.result_types))
        stored = np.load(inputs)
        self.arguments = [jax.device_put(self._array(stored[f"a{i}"], *kind), s)
                          for i, (kind, s) in enumerate(zip(self.types, placed))]
        self.feeds = self._aliases(text)

    def _kind(self, ranked):
        """(shape, dtype) of a tensor type."""
        names = {"f64": "float64", "f32": "float32", "f16": "float16",
                 "bf16": "bfloat16", "i1": "bool"}
        shape, text = tuple(ranked.shape), str(ranked.element_type)
        text = names.get(text) or re.sub(r"^u?i(\d+)$", lambda m: (
            "uint" if text[0] == "u" else "int") + m.group(1), text)
        return shape, self.jax.numpy.dtype(text)

    def _array(self, stored, shape, dtype):
        """A stored array; raw bits where NumPy lacks the kind."""
        if stored.dtype != dtype and stored.dtype.itemsize == dtype.itemsize:
            stored = stored.view(dtype)
        return stored.reshape(shape).astype(dtype)

    def _aliases(self, text):
        """{argument: result} of tf.aliasing_output."""
        start = text.index("@main(")
        header = text[start:text.index("\n", start)]
        parts = re.split(r"%arg(\d+): ", header)
        feeds = {}
        for number, rest in zip(parts[1::2], parts[2::2]):
            alias = re.search(r"tf\.aliasing_output = (\d+)", rest)
            if alias:
                feeds[int(number)] = int(alias.group(1))
        return feeds

    def step(self):
        """(seconds, {position: value} of the scalar results)."""
        start = time.perf_counter()
        parts = self.program.execute_sharded(
            self.arguments).disassemble_into_single_device_arrays()
        results = [self.jax.make_array_from_single_device_arrays(
            shape, sharding, part, dtype=dtype) for (shape, dtype), sharding,
            part in zip(self.result_types, self.result_shardings, parts)]
        self.jax.block_until_ready(results)
        seconds = time.perf_counter() - start
        for argument, result in self.feeds.items():
            self.arguments[argument] = results[result]
        return seconds, {str(i): float(r) for i, r in enumerate(results)
                         if not r.shape and r.dtype.kind == "f"}


def main():
    options = _parse(sys.argv[1:])
    with open(options.file) as file:
        worker = Worker(file.read(), options.inputs)
    print(json.dumps({"compile_seconds": worker.compile_seconds,
                      "devices": worker.partitions}), flush=True)
    for line in sys.stdin:
        if line.strip() == "step":
            seconds, scalars = worker.step()
            print(json.dumps({"seconds": seconds, "scalars": scalars}),
                  flush=True)


if __name__ == "__main__":
    main()

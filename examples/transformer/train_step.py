"""A training step of a one-block transformer, as JAX lowers it.

    python train_step.py        (JAX 0.10) writes train_step.mlir and inputs.json

The model is written for one device. Where arrays lie on the mesh is said in one
table (LAYOUT): the batch is split over the axis "data", heads, hidden features
and vocabulary over the axis "model". Everything else is the compiler's to find.
"""
import json
import os
import pathlib

DEVICES = {"data": 4, "model": 2}
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec

VOCABULARY, LENGTH, BATCH = 96, 32, 16
WIDTH, HEADS, HIDDEN = 64, 4, 256
RATE, MOMENTUM = 0.2, 0.9

# name: (shape, scale of its random start or None for ones, mesh axis by dimension)
LAYOUT = {
    "embedding": ((VOCABULARY, WIDTH), 0.5, ("model", None)),
    "position": ((LENGTH, WIDTH), 0.5, (None, None)),
    "attention_norm": ((WIDTH,), None, (None,)),
    "query": ((WIDTH, HEADS, WIDTH // HEADS), 0.125, (None, "model", None)),
    "key": ((WIDTH, HEADS, WIDTH // HEADS), 0.125, (None, "model", None)),
    "value": ((WIDTH, HEADS, WIDTH // HEADS), 0.125, (None, "model", None)),
    "output": ((HEADS, WIDTH // HEADS, WIDTH), 0.125, ("model", None, None)),
    "hidden_norm": ((WIDTH,), None, (None,)),
    "up": ((WIDTH, HIDDEN), 0.125, (None, "model")),
    "down": ((HIDDEN, WIDTH), 0.0625, ("model", None)),
    "logits": ((WIDTH, VOCABULARY), 0.125, (None, "model")),
}


def normalize(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale


def attention(p, x):
    query, key, value = (jnp.einsum("btd,dhk->bhtk", x, p[name])
                         for name in ("query", "key", "value"))
    scores = jnp.einsum("bhtk,bhsk->bhts", query, key) / (WIDTH // HEADS) ** 0.5
    visible = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(visible, scores, -1e9))
    return jnp.einsum("bhts,bhsk,hkd->btd", weights, value, p["output"])


def loss_of(p, tokens, targets):
    x = p["embedding"][tokens] + p["position"]
    x = x + attention(p, normalize(x, p["attention_norm"]))
    hidden = jax.nn.gelu(normalize(x, p["hidden_norm"]) @ p["up"])
    x = x + hidden @ p["down"]
    scores = jax.nn.log_softmax(x @ p["logits"])
    return -jnp.mean(jnp.take_along_axis(scores, targets[..., None], -1))


def step(params, velocity, tokens, targets):
    loss, gradient = jax.value_and_grad(loss_of)(params, tokens, targets)
    velocity = jax.tree.map(lambda v, g: MOMENTUM * v + g, velocity, gradient)
    params = jax.tree.map(lambda p, v: p - RATE * v, params, velocity)
    return params, velocity, loss


def lowered_text():
    mesh = jax.make_mesh(tuple(DEVICES.values()), tuple(DEVICES),
                         axis_types=(AxisType.Auto,) * len(DEVICES))
    place = lambda *axes: NamedSharding(mesh, PartitionSpec(*axes))
    params = {name: jax.ShapeDtypeStruct(shape, jnp.float32)
              for name, (shape, _, _) in LAYOUT.items()}
    placed = {name: place(*axes) for name, (_, _, axes) in LAYOUT.items()}
    tokens = jax.ShapeDtypeStruct((BATCH, LENGTH), jnp.int32)
    jitted = jax.jit(step, donate_argnums=(0, 1),
                     in_shardings=(placed, placed, place("data"), place("data")),
                     out_shardings=(placed, placed, place()))
    text = jitted.lower(params, params, tokens, tokens).as_text(debug_info=True)
    return text.replace(str(pathlib.Path(__file__).resolve().parent) + "/", "")


def arguments():
    """What the demo feeds: name, shape, kind and random start, in order."""
    def tree(prefix, start):
        return [{"name": f"{prefix}['{name}']", "shape": list(LAYOUT[name][0]),
                 "dtype": "float32", "init": start(LAYOUT[name][1])}
                for name in sorted(LAYOUT)]
    constant = lambda value: {"kind": "constant", "value": value}
    ids = {"shape": [BATCH, LENGTH], "dtype": "int32",
           "init": {"kind": "randint", "low": 0, "high": VOCABULARY}}
    return [*tree("params", lambda scale: constant(1.0) if scale is None else
                  {"kind": "normal", "mean": 0.0, "scale": scale}),
            *tree("velocity", lambda _: constant(0.0)),
            {"name": "tokens", **ids}, {"name": "targets", **ids}]


if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parent
    (folder / "train_step.mlir").write_text(lowered_text())
    description = {"loss_result": 2 * len(LAYOUT), "arguments": arguments()}
    lines = ",\n  ".join(json.dumps(a) for a in description["arguments"])
    (folder / "inputs.json").write_text(
        f'{{"loss_result": {description["loss_result"]},\n "arguments": [\n  '
        f"{lines}\n ]}}\n")

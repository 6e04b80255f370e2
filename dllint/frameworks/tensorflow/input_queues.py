"""Batches that TensorFlow 1 takes from queues: a list of tensors gives as many batches, one tensor a batch."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import is_size, plain
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

#: Functions by the parameters that stand before ``enqueue_many``, and after it.
_BATCHES: Final = {
    "batch": "tensors=None, batch_size=None, num_threads=1, capacity=32, enqueue_many=False, shapes=None, *rest, **options",
    "shuffle_batch": "tensors=None, batch_size=None, capacity=None, min_after_dequeue=None, num_threads=1, seed=None, "
    "enqueue_many=False, shapes=None, *rest, **options",
}


def _batches(name: str, parameters: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        asked = given(parameters, arguments)
        examples = plain(asked["tensors"])
        if isinstance(examples, TensorVal):
            return _batch(machine, examples, asked)
        if isinstance(examples, tuple) and len(examples) > 1:
            return tuple(_batch(machine, one, asked) for one in examples)
        return machine.unknown("unmodelled-call", f"tensorflow.train.{name}")

    return call


def _batch(machine: Machine, example: Value, asked: dict[str, Value]) -> TensorVal:
    """A batch of what an example, or a number of examples (``enqueue_many``), holds."""
    number = plain(asked["batch_size"])
    is_open = plain(asked.get("allow_smaller_final_batch", False)) is not False or asked["shapes"] is not None
    shape = example.type.shape if isinstance(example, TensorVal) else Unknown("unmodelled-call", "batch")
    dtype = example.type.dtype if isinstance(example, TensorVal) else Unknown("unmodelled-call", "batch")
    many = plain(asked["enqueue_many"])
    if not isinstance(shape, tuple) or not is_size(number) or is_open or not isinstance(many, bool) or (many and not shape):
        return machine.tensor(TensorType(Unknown("unknown-rank", "batch"), dtype), framework="tensorflow", name="batch")
    return machine.tensor(TensorType((number, *shape[many:]), dtype), framework="tensorflow", name="batch")


for _name, _parameters in _BATCHES.items():
    handler(f"tensorflow.train.{_name}")(_batches(_name, _parameters))

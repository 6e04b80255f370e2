"""Packed sequences: ``pack_padded_sequence`` … ``pad_packed_sequence``, and recurrent layers that are given them."""

from __future__ import annotations

from types import NoneType

from dllint.domains.dim import Dim, counted, opaque
from dllint.domains.dtype import INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.kinds import as_tensor, shape_of
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.events import ModuleCall
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

HOME = "torch.nn.utils.rnn"
PACKED = f"{HOME}.PackedSequence"
#: The state key of a packed sequence's padded form, batch first.
PADDED = "padded"
LIBRARY_BASES[PACKED] = ()


def _batch_first(machine: Machine, x: Value, batch_first: Value) -> Value:
    """``x`` with the batch axis first; converting there and back is the same exchange of axes."""
    if batch_first is True or not isinstance(x, TensorVal):
        return x
    if not isinstance(batch_first, (bool, NoneType)):
        return machine.unknown("dynamic-argument", "batch_first")
    return machine.emit("transpose", {"x": x, "dim0": 0, "dim1": 1}, framework="torch", spelled=PACKED)


def _packed(machine: Machine, padded: Value) -> InstanceVal:
    return InstanceVal(
        LibSymbol(PACKED), site=machine.site, state={PADDED: padded}, open=Unknown("not-followed", "packed data")
    )


@handler(f"{HOME}.pack_padded_sequence")
def pack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A padded batch, packed."""
    bound = given("input, lengths, batch_first=False, enforce_sorted=True", arguments)
    return _packed(machine, _batch_first(machine, bound.get("input"), bound["batch_first"]))


@handler(f"{HOME}.pack_sequence")
def pack_list(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A list of sequences, packed."""
    bound = given("sequences, enforce_sorted=True", arguments)
    return _packed(machine, _padded(machine, bound.get("sequences")))


@handler(f"{HOME}.pad_packed_sequence")
def unpack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The padded batch (as long as its longest sequence) and the lengths."""
    bound = given("sequence, batch_first=False, padding_value=0.0, total_length=None", arguments)
    sequence = bound.get("sequence")
    padded = sequence.state.get(PADDED) if isinstance(sequence, InstanceVal) else None
    if not isinstance(padded, TensorVal) or isinstance(padded.shape, Unknown) or len(padded.shape) < 2:
        return (machine.unknown("unknown-data", "packed sequence"), Unknown("unknown-data", "lengths"))
    batch, _steps, *rest = padded.shape
    steps = bound["total_length"] if isinstance(bound["total_length"], int) else opaque("longest", 1)
    out = machine.tensor(TensorType((batch, steps, *rest), padded.dtype), framework="torch", name="padded")
    lengths = machine.tensor(TensorType((batch,), INT64), framework="torch", name="lengths")
    return (_batch_first(machine, out, bound["batch_first"]), lengths)


@handler(f"{HOME}.pad_sequence")
def pad_list(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A list of sequences as one padded batch."""
    bound = given("sequences, batch_first=False, padding_value=0.0, padding_side='right'", arguments)
    return _batch_first(machine, _padded(machine, bound.get("sequences")), bound["batch_first"])


def _padded(machine: Machine, sequences: Value) -> Value:
    found = machine.iterate(sequences)
    if isinstance(found, Unknown) and isinstance(sequences, ListVal) and sequences.rest is not None:
        return _padded_of_any_number(machine, (*sequences.items, sequences.rest))
    if isinstance(found, Unknown) or not found:
        return machine.unknown("unknown-length", "sequences")
    shapes, first = [shape for s in found if (shape := shape_of(s))], as_tensor(found[0])
    if first is None or len(shapes) < len(found):
        return machine.unknown("unknown-rank", "sequences")
    lengths = [shape[0] for shape in shapes if isinstance(shape[0], int)]
    longest: Dim = max(lengths) if len(lengths) == len(shapes) else counted("longest", 1)
    return machine.tensor(TensorType((len(found), longest, *shapes[0][1:]), first.dtype), framework="torch", name="padded")


def _padded_of_any_number(machine: Machine, sequences: tuple[Value, ...]) -> Value:
    """A batch of sequences like these."""
    shapes, first = [shape for s in sequences if (shape := shape_of(s))], as_tensor(sequences[0])
    if first is None or len(shapes) < len(sequences) or any(shape[1:] != shapes[0][1:] for shape in shapes):
        return machine.unknown("unknown-rank", "sequences")
    sizes = (counted("length", 1), counted("longest", 1), *shapes[0][1:])
    return machine.tensor(TensorType(sizes, first.dtype), framework="torch", name="padded")


@handler("torch.nn.LSTM.__call__", "torch.nn.GRU.__call__", "torch.nn.RNN.__call__", on=InstanceVal)
def recur(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """A recurrent layer; a packed sequence carries its own layout, whatever ``batch_first`` says."""
    bound = given("input, hx=None", arguments)
    if layer.layer is None or "input" not in bound:
        return machine.unknown("not-a-layer", "recurrent layer")
    config, x = layer.layer, bound["input"]
    args = {**config.args, "x": x, "hx": bound["hx"]}
    packed = isinstance(x, InstanceVal) and PADDED in x.state
    if isinstance(x, InstanceVal) and packed:
        args.update(x=x.kept(PADDED), batch_first=True)
    result = machine.emit(config.row.op, args, framework="torch", spelled=config.row.name, layer=layer)
    if packed and isinstance(result, tuple) and result:
        result = (_packed(machine, result[0]), *result[1:])
    machine.event(ModuleCall, callee=layer, args=arguments.args, keywords=arguments.kwargs, result=result)
    return result

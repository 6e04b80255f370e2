"""Recurrent cells of TensorFlow 1 (``tf.nn.rnn_cell``) and the functions that run them over time."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Final

from dllint.domains.dim import add
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.machine import LIBRARY_BASES, Configure, Machine, constructor, handler, prop
from dllint.frameworks.tensorflow.composites import emit
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, SliceVal, Value

HOME: Final = "tensorflow.nn.rnn_cell"
CELL: Final = f"{HOME}.RNNCell"
STATE: Final = f"{HOME}.LSTMStateTuple"
LIBRARY_BASES[STATE] = ("typing.NamedTuple",)

#: Cell class → kind of recurrence.
KINDS: Final = {
    "BasicLSTMCell": "lstm", "LSTMCell": "lstm", "LSTMBlockCell": "lstm", "LayerNormBasicLSTMCell": "lstm",
    "CoupledInputForgetGateLSTMCell": "lstm", "GRUCell": "gru", "GRUBlockCell": "gru", "GRUBlockCellV2": "gru",
    "BasicRNNCell": "rnn",
}  # fmt: skip
#: Cells around another cell that leave its sizes as they are.
WRAPPERS: Final = (
    "DropoutWrapper",
    "ResidualWrapper",
    "DeviceWrapper",
    "AttentionCellWrapper",
    "InputProjectionWrapper",
    "EmbeddingWrapper",
)
_CELL: Final = "num_units=None, input_size=None, *rest, num_proj=None, state_is_tuple=True, **options"


def _register(name: str, kind: str) -> None:
    full = f"{HOME}.{name}"
    LIBRARY_BASES[full] = (CELL,)

    @constructor(full)
    def configure(machine: Machine, cell: InstanceVal, arguments: Arguments) -> None:
        asked = given(_CELL, arguments)
        output = asked["num_units"] if asked["num_proj"] is None else asked["num_proj"]
        state = {"kind": kind, "width": asked["num_units"], "output": output, "tuple": asked["state_is_tuple"]}
        for name, value in state.items():
            machine.write(cell.state, name, value)


for _name, _kind in KINDS.items():
    _register(_name, _kind)


def _wrapper(name: str) -> Configure:
    def configure(machine: Machine, cell: InstanceVal, arguments: Arguments) -> None:
        """A cell around another one."""
        machine.write(cell.state, "inner", argument(arguments, "cell", 0))
        if name == "OutputProjectionWrapper":
            machine.write(cell.state, "projected", argument(arguments, "output_size", 1))

    return configure


for _name in (*WRAPPERS, "OutputProjectionWrapper"):
    LIBRARY_BASES[f"{HOME}.{_name}"] = (CELL,)
    constructor(f"{HOME}.{_name}")(_wrapper(_name))

LIBRARY_BASES[f"{HOME}.MultiRNNCell"] = (CELL,)


@constructor(f"{HOME}.MultiRNNCell")
def multi(machine: Machine, cell: InstanceVal, arguments: Arguments) -> None:
    """Cells one above the other."""
    cells = machine.iterate(arguments.args[0] if arguments.args else arguments.kwargs.get("cells"))
    machine.write(cell.state, "cells", cells if isinstance(cells, Unknown) else tuple(cells))
    paired = argument(arguments, "state_is_tuple", 1)
    machine.write(cell.state, "tuple", True if paired is None else paired)


@handler(STATE)
def state_tuple(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``LSTMStateTuple(c, h)``."""
    return lstm_state(argument(arguments, "c", 0), argument(arguments, "h", 1))


def lstm_state(c: Value, h: Value) -> InstanceVal:
    """An LSTM's state: two parts that are found by name, by number and by unpacking."""
    return InstanceVal(LibSymbol(STATE), {"c": c, "h": h})


# --- sizes and states -------------------------------------------------------------------------------------------------


def _output_size(cell: Value) -> Value:
    if not isinstance(cell, InstanceVal):
        return Unknown("unknown-cell", "output_size")
    if "cells" in cell.state:
        cells = _cells(cell)
        return _output_size(cells[-1]) if cells else Unknown("unknown-length", "cells")
    if "inner" in cell.state:
        return cell.state.get("projected", _output_size(cell.kept("inner")))
    return cell.state.get("output", Unknown("unknown-cell", "output_size"))


def _cells(cell: InstanceVal) -> tuple[Value, ...] | None:
    """The cells of a stack, if it is known which they are."""
    found = cell.kept("cells")
    return found if isinstance(found, tuple) else None


def _state_size(cell: Value) -> Value:
    if not isinstance(cell, InstanceVal):
        return Unknown("unknown-cell", "state_size")
    if "cells" in cell.state:
        cells = _cells(cell)
        return Unknown("unknown-length", "cells") if cells is None else _together(cell, list(map(_state_size, cells)))
    if "inner" in cell.state:
        return _state_size(cell.kept("inner"))
    width, paired = cell.kept("width"), cell.kept("tuple")
    if cell.state.get("kind") != "lstm" or isinstance(paired, Unknown):
        return paired if isinstance(paired, Unknown) else width
    if paired is False:
        return 2 * width if is_size(width) else width
    return lstm_state(width, cell.kept("output"))


def _together(cell: InstanceVal, sizes: list[Value]) -> Value:
    """The state size of a stack: those of its cells, or their sum (``state_is_tuple=False``)."""
    if (paired := cell.kept("tuple")) is True:
        return tuple(sizes)
    numbers = [size for size in sizes if is_size(size)]
    if paired is not False or len(numbers) < len(sizes):
        return Unknown("unknown-cell", "state_size")
    return reduce(add, numbers) if numbers else 0


@prop(f"{CELL}.output_size")
def output_size(machine: Machine, cell: Value) -> Value:
    """The width of the output."""
    return _output_size(cell)


@prop(f"{CELL}.state_size")
def state_size(machine: Machine, cell: Value) -> Value:
    """The width of the state, in the state's structure."""
    return _state_size(cell)


@handler(f"{CELL}.zero_state")
def zero_state(machine: Machine, cell: Value, arguments: Arguments) -> Value:
    """``zero_state(batch_size, dtype)``."""
    return _zeros(
        machine, machine.getattr(cell, "state_size"), argument(arguments, "batch_size", 0), argument(arguments, "dtype", 1)
    )


def _zeros(machine: Machine, size: Value, batch: Value, dtype: Value) -> Value:
    if isinstance(size, tuple):
        return tuple(_zeros(machine, part, batch, dtype) for part in size)
    if isinstance(size, InstanceVal) and size.cls == LibSymbol(STATE):
        return lstm_state(*(_zeros(machine, size.own(name), batch, dtype) for name in ("c", "h")))
    return emit(machine, "zeros", "nn.rnn_cell.RNNCell.zero_state", shape=(batch, plain(size)), dtype=dtype)


# --- one step ---------------------------------------------------------------------------------------------------------


@handler(f"{CELL}.__call__", f"{CELL}.call")
def step(machine: Machine, cell: Value, arguments: Arguments) -> Value:
    """``cell(inputs, state)``: output and next state."""
    x, state = argument(arguments, "inputs", 0), argument(arguments, "state", 1)
    return _step(machine, cell, x, state)


def _step(machine: Machine, cell: Value, x: Value, state: Value) -> Value:
    if not isinstance(cell, InstanceVal):
        return machine.unknown("unknown-cell", "call"), state
    if "cells" in cell.state:
        cells = _cells(cell)
        if cells is None:
            return machine.unknown("unknown-length", "cells"), state
        out, states = _stacked_step(machine, cells, x, state)
        return out, _stacked(machine, cell, states)
    if "inner" in cell.state:
        out, after = _pair(machine, machine.call(cell.kept("inner"), Arguments((x, state))))
        return _wrapped(machine, cell, out), after
    args = {"x": x, "kind": cell.kept("kind"), "hidden_size": plain(cell.kept("width"))}
    found = machine.emit("rnn_cell", args, framework="tensorflow", spelled=_spelled(cell))
    if not isinstance(found, tuple) or not isinstance(found[1], tuple):
        return machine.unknown("no-argument", "cell"), state
    return found[0], _state_of(machine, cell, list(found[1]))


def _stacked(machine: Machine, cell: InstanceVal, states: list[Value]) -> Value:
    """The state of a stack: a tuple of those of its cells, or all of them side by side (``state_is_tuple=False``)."""
    if (paired := cell.kept("tuple")) is True:
        return tuple(states)
    if paired is not False or not all(isinstance(state, TensorVal) for state in states):
        return Unknown("unknown-cell", "state")
    return emit(machine, "cat", _spelled(cell), tensors=tuple(states), dim=1)


def _stacked_step(machine: Machine, cells: tuple[Value, ...], x: Value, state: Value) -> tuple[Value, list[Value]]:
    states = list(state) if isinstance(state, tuple) and len(state) == len(cells) else [state] * len(cells)
    after = []
    for cell, before in zip(cells, states, strict=True):
        x, now = _pair(machine, machine.call(cell, Arguments((x, before))))
        after.append(now)
    return x, after


def _pair(machine: Machine, found: Value) -> tuple[Value, Value]:
    if isinstance(found, tuple) and len(found) == 2:
        return found
    return found if isinstance(found, Unknown) else machine.unknown("unknown-cell", "call"), Unknown("unknown-cell", "state")


def _wrapped(machine: Machine, cell: InstanceVal, out: Value) -> Value:
    if "projected" in cell.state:
        return emit(machine, "linear", "nn.rnn_cell.OutputProjectionWrapper", x=out, out_features=plain(cell.kept("projected")))
    return emit(machine, "dropout", "nn.rnn_cell.DropoutWrapper", x=out) if _spelled(cell).endswith("DropoutWrapper") else out


def _state_of(machine: Machine, cell: InstanceVal, states: list[Value]) -> Value:
    """The state in the structure that the cell keeps it in; ``states`` is (h,) or (h, c)."""
    if cell.state.get("kind") != "lstm" or len(states) < 2:
        return states[0] if states else Unknown("unknown-cell", "state")
    if not isinstance(paired := cell.kept("tuple"), bool):
        return Unknown("unknown-cell", "state")
    if not paired:
        return emit(machine, "cat", _spelled(cell), tensors=(states[1], states[0]), dim=1)
    return lstm_state(states[1], states[0])


def _spelled(cell: InstanceVal) -> str:
    return cell.cls.name if isinstance(cell.cls, LibSymbol) else CELL


# --- over time --------------------------------------------------------------------------------------------------------

_RUN: Final = "cell=None, inputs=None, sequence_length=None, initial_state=None, dtype=None, *rest, time_major=False, **options"
_BOTH: Final = (
    "cell_fw=None, cell_bw=None, inputs=None, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None, "
    "*rest, time_major=False, **options"
)


@handler("tensorflow.nn.dynamic_rnn")
def dynamic_rnn(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """All outputs (batch, time, width), with ``time_major`` (time, batch, width), and the final state."""
    asked = given(_RUN, arguments)
    return _over_time(machine, asked["cell"], plain(asked["inputs"]), asked["time_major"] is True, asked["initial_state"])


@handler("tensorflow.nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Pairs of outputs and of final states: forward and backward."""
    asked = given(_BOTH, arguments)
    x, major = plain(asked["inputs"]), asked["time_major"] is True
    both = [_over_time(machine, asked[cell], x, major, asked[start])
            for cell, start in (("cell_fw", "initial_state_fw"), ("cell_bw", "initial_state_bw"))]  # fmt: skip
    return tuple(out for out, _state in both), tuple(state for _out, state in both)


def _over_time(machine: Machine, cell: Value, x: Value, time_major: bool, state: Value) -> tuple[Value, Value]:
    if time_major:
        x = emit(machine, "swapaxes", "nn.dynamic_rnn", x=x, dim0=0, dim1=1)
    out, after = _run(machine, cell, x, state)
    return (emit(machine, "swapaxes", "nn.dynamic_rnn", x=out, dim0=0, dim1=1) if time_major else out), after


def _run(machine: Machine, cell: Value, x: Value, state: Value) -> tuple[Value, Value]:
    """A cell over the second axis of (batch, time, width)."""
    if not isinstance(cell, InstanceVal):
        return machine.unknown("unknown-cell", "dynamic_rnn"), Unknown("unknown-cell", "state")
    if "cells" in cell.state:
        after, cells = [], _cells(cell)
        if cells is None:
            return machine.unknown("unknown-length", "cells"), Unknown("unknown-cell", "state")
        for one in cells:
            x, now = _run(machine, one, x, None)
            after.append(now)
        return x, _stacked(machine, cell, after)
    if "inner" in cell.state:
        out, now = _run(machine, cell.kept("inner"), x, state)
        return _wrapped(machine, cell, out), now
    if "kind" not in cell.state:
        return _run_own(machine, cell, x, state)
    args = {
        "x": x,
        "kind": cell.kept("kind"),
        "hidden_size": plain(cell.kept("width")),
        "return_sequences": True,
        "return_state": True,
    }
    found = machine.emit("rnn", args, framework="tensorflow", spelled=_spelled(cell))
    if not isinstance(found, tuple):
        return machine.unknown("no-argument", "rnn"), Unknown("unknown-cell", "state")
    return found[0], _state_of(machine, cell, list(found[1:]))


def _run_own(machine: Machine, cell: InstanceVal, x: Value, state: Value) -> tuple[Value, Value]:
    """A cell of the program's own: the result of one step is that of every step."""
    first = emit(machine, "getitem", "nn.dynamic_rnn", x=x, index=(SliceVal(None, None, None), 0))
    out, after = _pair(
        machine, machine.call(cell, Arguments((first, state if state is not None else Unknown("input", "state"))))
    )
    if (
        not isinstance(out, TensorVal)
        or isinstance(out.shape, Unknown)
        or not isinstance(x, TensorVal)
        or isinstance(x.shape, Unknown)
    ):
        return machine.unknown("unknown-cell", "dynamic_rnn"), after
    raised = emit(machine, "unsqueeze", "nn.dynamic_rnn", x=out, dim=1)
    shape = (out.shape[0], x.shape[1] if len(x.shape) > 1 else Unknown("unknown-length", "time"), *out.shape[1:])
    return emit(machine, "broadcast_to", "nn.dynamic_rnn", x=raised, shape=shape), after


@handler("tensorflow.nn.static_rnn")
def static_rnn(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``static_rnn(cell, inputs)`` of a list of (batch, width): a list of outputs and the final state."""
    asked = given(_RUN, arguments)
    return _over_list(machine, asked["cell"], asked["inputs"], asked["initial_state"])


@handler("tensorflow.nn.static_bidirectional_rnn")
def static_bidirectional_rnn(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A list of joined outputs, the final forward and the final backward state."""
    asked = given(
        "cell_fw=None, cell_bw=None, inputs=None, initial_state_fw=None, initial_state_bw=None, *rest, **options", arguments
    )
    forward, state = _over_list(machine, asked["cell_fw"], asked["inputs"], asked["initial_state_fw"])
    backward, other = _over_list(machine, asked["cell_bw"], asked["inputs"], asked["initial_state_bw"])
    first, second = (_first(machine, outputs) for outputs in (forward, backward))
    if first is None or second is None or not isinstance(forward, ListVal):
        return Unknown("unknown-length", "inputs"), state, other
    joined = emit(machine, "cat", "nn.static_bidirectional_rnn", tensors=(first, second), dim=-1)
    return _like(forward, joined), state, other


def _first(machine: Machine, outputs: Value) -> Value:
    if not isinstance(outputs, ListVal):
        return None
    return outputs.items[0] if outputs.items else outputs.rest


def _like(outputs: ListVal, one: Value) -> ListVal:
    return replace(outputs, items=[one] * len(outputs.items), rest=one if outputs.rest is not None else None)


def _over_list(machine: Machine, cell: Value, inputs: Value, state: Value) -> tuple[Value, Value]:
    """Every element is alike, so that the result of one step is that of all."""
    found = machine.iterate(inputs)
    parts = [] if isinstance(found, Unknown) else found
    first = parts[0] if parts else inputs.rest if isinstance(inputs, ListVal) else None
    if first is None:
        return Unknown("unknown-length", "inputs"), Unknown("unknown-cell", "state")
    start = state if state is not None else Unknown("input", "state")
    out, after = _pair(machine, machine.call(cell, Arguments((plain(first), start))))
    return (ListVal([out] * len(parts)) if parts else ListVal([], out)), after

"""Recurrent layers and cells, in torch's terms and in Keras's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dllint.domains.dim import Dim, differs, mul, opaque
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.composed_counts import GATES
from dllint.ops.sizes import is_dim, size, unknown
from dllint.ops.spec import Call, Flag, Result, known_shape, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import layer_dtype, unknown_output


@dataclass(frozen=True, slots=True)
class Cells:
    """The configuration of a torch recurrent layer; counts that are not known are symbols."""

    kind: str
    hidden: Dim
    output: Dim
    layers: Dim
    directions: Dim

    @classmethod
    def read(cls, kind: Value, hidden: Value, proj: Value, layers: Value, bidirectional: Value) -> Cells | None:
        """The configuration, or ``None`` if the kind, which decides the number of states, is not known."""
        if not isinstance(kind, str):
            return None
        directions: Dim = 1 + bidirectional if isinstance(bidirectional, bool) else opaque("directions", 1)
        hidden_size = size(hidden, "hidden_size", 1)
        projected = hidden_size if proj is None or proj == 0 else size(proj, "proj_size", 1)
        return cls(kind, hidden_size, projected, size(layers, "num_layers", 1), directions)

    def states(self, batch: tuple[Dim, ...]) -> tuple[Shape, ...]:
        """The shapes of the final states: ``h`` and, for an LSTM, ``c``."""
        rows = mul(self.layers, self.directions)
        h, c = (rows, *batch, self.output), (rows, *batch, self.hidden)
        return (h, c) if self.kind == "lstm" else (h,)


@op(
    "rnn",
    traits=(Trait.LEARNED | Trait.RECURRENT | Trait.RETURNS_STATE | Trait.OWN_ORDER | Trait.AUTOCAST_LOWER_ON_CARD),
    various=True,
)
def rnn(
    call: Call,
    x: TensorType,
    *,
    kind: Value = "lstm",
    input_size: Value = None,
    hidden_size: Value = None,
    num_layers: Value = 1,
    batch_first: Flag = False,
    bidirectional: Flag = False,
    proj_size: Value = 0,
    hx: Value = None,
    initial_state: Value = None,
    return_sequences: Flag = False,
    return_state: Flag = False,
    merge_mode: Value = "concat",
    activation: Value = "tanh",
    recurrent_activation: Value = "sigmoid",
    weight_dtype: Value = None,
) -> Result:
    """A recurrent layer over time, whose activations bound what it gives.

    torch: (time, batch, feature), (batch, time, feature) or (time, feature) to ``(output, h_n)``, for an LSTM
    ``(output, (h_n, c_n))``. Keras: (batch, time, feature) to the last output or all of them, with the states behind
    if asked for; ``bidirectional`` with ``merge_mode`` is its Bidirectional wrapper.
    """
    if call.framework == "torch":
        cells = Cells.read(kind, hidden_size, proj_size, num_layers, bidirectional)
        return _torch_rnn(call, x, cells, input_size, batch_first, hx, weight_dtype)
    width = size(hidden_size, "units", 1)
    if (shape := known_shape(x)) is not None and len(shape) == 3:
        _check_input_size(call, shape, input_size)
    return _keras_rnn(call, x, str(kind), width, (return_sequences, return_state, bidirectional, merge_mode))


def _torch_rnn(
    call: Call, x: TensorType, cells: Cells | None, input_size: Value, batch_first: Value, hx: Value, declared: Value
) -> Result:
    dtype = layer_dtype(call, x, declared)
    shape = known_shape(x)
    if cells is None:
        return Unknown("no-argument", "kind")
    if shape is None or not call.rank(x, 2, 3) or isinstance(batch_first, Unknown):
        free = TensorType(unknown_output(x, "batch_first").shape, dtype)
        return _pair(free, (free, free) if cells.kind == "lstm" else (free,))
    _check_input_size(call, shape, input_size)
    batch = () if len(shape) == 2 else (shape[0 if batch_first else 1],)
    states = cells.states(batch)
    _check_states(call, hx, states, "hx")
    out = TensorType((*shape[:-1], mul(cells.output, cells.directions)), dtype)
    return _pair(out, tuple(TensorType(s, dtype) for s in states))


def _pair(out: TensorType, states: tuple[TensorType, ...]) -> Result:
    return (out, states if len(states) == 2 else states[0])


def _check_input_size(call: Call, shape: Shape, expected: Value, operand: str = "input_size") -> None:
    if is_dim(expected) and shape and differs(shape[-1], expected):
        axis = len(shape) - 1
        call.fault(faults.FEATURE_SIZE, operand=operand, axis=axis, expected=expected, actual=shape[-1], shapes=(shape,))


def _check_states(call: Call, given: Value, wanted: tuple[Shape, ...], operand: str) -> None:
    """Compare initial states (a tensor, or a tuple of them) with the shapes the layer asks for."""
    states = given if isinstance(given, tuple) else (given,)
    for name, state, expected in zip(("h_0", "c_0"), states, wanted, strict=False):
        shape = known_shape(state)
        if shape is None:
            continue
        if len(shape) != len(expected):
            call.fault(faults.RANK, operand=operand, expected=(len(expected),), actual=len(shape), shapes=(shape,))
        elif wrong := [a for a, (s, e) in enumerate(zip(shape, expected, strict=True)) if differs(s, e)]:
            axis = wrong[0]
            detail = f"{name} has shape {show_shape(shape)} but the layer needs {show_shape(expected)}"
            call.fault(
                faults.OPERATOR_SHAPE,
                operand=operand,
                axis=axis,
                expected=expected[axis],
                actual=shape[axis],
                shapes=(shape, expected),
                detail=detail,
            )


def _keras_rnn(call: Call, x: TensorType, kind: str, width: Dim, returns: tuple[Value, Value, Value, Value]) -> Result:
    sequences, state, bidirectional, merge = returns
    dtype = x.dtype if isinstance(x.dtype, DType) and x.dtype.kind == "float" else FLOAT32
    shape = known_shape(x)
    if shape is not None and len(shape) != 3:
        kind_of_fault = faults.SEQUENCE_RANK if len(shape) == 2 else faults.RANK
        call.fault(kind_of_fault, operand="x", expected=(3,), actual=len(shape), shapes=(shape,))
    if unknown(sequences, state, bidirectional, merge) or shape == ():
        return Unknown("no-argument", "rnn")
    batch = size(None, "batch", 0) if shape is None else shape[0]
    time = shape[1:2] if shape is not None and len(shape) == 3 else (size(None, "time", 1),)
    lead = (batch, *time) if sequences else (batch,)
    out = TensorType((*lead, mul(width, 2) if bidirectional and merge == "concat" else width), dtype)
    outputs = (out, out) if bidirectional and merge is None else (out,)
    count = (2 if kind == "lstm" else 1) * (2 if bidirectional else 1)
    states = (TensorType((batch, width), dtype),) * count if state else ()
    results = (*outputs, *states)
    return results if len(results) > 1 else out


@op("rnn_cell", traits=Trait.LEARNED | Trait.RETURNS_STATE | Trait.AUTOCAST_LOWER_ON_CARD, various=True)
def rnn_cell(
    call: Call,
    x: TensorType,
    *,
    kind: Value = "lstm",
    input_size: Value = None,
    hidden_size: Value = None,
    hx: Value = None,
    states: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """One step of a recurrent layer. torch: ``h`` or ``(h, c)``; Keras: ``(output, states)``."""
    dtype = layer_dtype(call, x, weight_dtype)
    shape = known_shape(x)
    if call.framework == "keras":
        return _keras_cell(call, shape, (kind, hidden_size, states), dtype)
    allowed = (1, 2) if call.framework == "torch" else (2,)
    if shape is None or not call.rank(x, *allowed) or isinstance(kind, Unknown):
        return Unknown("no-argument", "rnn_cell")
    _check_input_size(call, shape, input_size)
    state = TensorType((*shape[:-1], size(hidden_size, "hidden_size", 1)), dtype)
    wanted = (state.shape, state.shape) if kind == "lstm" else (state.shape,)
    _check_states(call, hx if hx is not None else states, tuple(w for w in wanted if isinstance(w, tuple)), "hx")
    after = (state, state) if kind == "lstm" else (state,)
    if call.framework == "tensorflow":
        return (state, after)
    return after if kind == "lstm" else state


def _keras_cell(call: Call, shape: Shape | None, given: tuple[Value, Value, Value], dtype: DType | Unknown) -> Result:
    """A cell multiplies whatever has features on its last axis, and adds what that gives of input and states, with axes of size
    1 repeated; of other ranks than 2 it depends on cell and backend which run."""
    kind, hidden_size, states = given
    if shape == ():
        call.fault(faults.RANK, operand="x", expected=(2,), actual=0, shapes=(shape,))
    width = size(hidden_size, "hidden_size", 1)
    held = [known_shape(state) for state in (states if isinstance(states, tuple) else (states,))]
    rows = [known for known in held if known is not None and len(known) == 2]
    if shape is None or len(shape) != 2 or len(rows) < len(held) or isinstance(kind, Unknown):
        return Unknown("no-argument", "rnn_cell")
    batches = [size for size in (shape[0], *(row[0] for row in rows)) if size != 1]
    batch = batches[0] if batches else 1
    wanted = (batch, width)
    for row in rows:
        _check_states(call, TensorType((batch if row[0] == 1 else row[0], row[1]), dtype), (wanted,), "hx")
    state = TensorType(wanted, dtype)
    return (state, (state, state) if kind == "lstm" else (state,))


@op("repeat_vector", traits=Trait.REPEATS)
def repeat_vector(call: Call, x: TensorType, *, n: Value = None) -> Result:
    """(batch, feature) to (batch, ``n``, feature) (keras.layers.RepeatVector)."""
    shape = known_shape(x)
    if shape is None or not call.rank(x, 2):
        return unknown_output(x, "rank")
    return x.with_shape((shape[0], size(n, "n", 1), shape[1]))


@weights("rnn")
def rnn_weights(
    *,
    framework: str = "torch",
    kind: Value = "lstm",
    input_size: Value = None,
    hidden_size: Value = None,
    num_layers: Value = 1,
    bidirectional: Flag = False,
    proj_size: Value = 0,
    bias: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``weight_ih_l0``, ``weight_hh_l0``, ``bias_ih_l0`` … of a torch layer (``…_reverse`` for the second direction).
    A Keras layer keeps its weights on its cell."""
    cells = Cells.read(kind, hidden_size, proj_size, num_layers, bidirectional)
    out: dict[str, TensorType] = {}
    if cells is None or kind not in GATES or framework != "torch":
        return out
    if not isinstance(cells.layers, int) or not isinstance(cells.directions, int):
        return out
    inputs = size(input_size, "input_size", 1)
    for layer in range(cells.layers):
        for direction in range(cells.directions):
            out |= _layer_weights(f"l{layer}" + "_reverse" * direction, cells, inputs, proj_size, bias)
        inputs = mul(cells.output, cells.directions)
    return out


def _layer_weights(suffix: str, cells: Cells, inputs: Dim, proj: Value, bias: Value) -> dict[str, TensorType]:
    rows = mul(cells.hidden, GATES[cells.kind])
    shapes: dict[str, Shape] = {f"weight_ih_{suffix}": (rows, inputs), f"weight_hh_{suffix}": (rows, cells.output)}
    if bias is True:
        shapes |= {f"bias_ih_{suffix}": (rows,), f"bias_hh_{suffix}": (rows,)}
    if is_dim(proj) and proj != 0:
        shapes[f"weight_hr_{suffix}"] = (cells.output, cells.hidden)
    return {name: TensorType(shape, FLOAT32) for name, shape in shapes.items()}


@weights("rnn_cell")
def rnn_cell_weights(
    *, kind: Value = "lstm", input_size: Value = None, hidden_size: Value = None, bias: Value = True, **_: Value
) -> Mapping[str, TensorType]:
    """``weight_ih``, ``weight_hh``, ``bias_ih``, ``bias_hh``."""
    layer = rnn_weights(kind=kind, input_size=input_size, hidden_size=hidden_size, bias=bias)
    return {name.removesuffix("_l0"): type_ for name, type_ in layer.items()}

"""Construction of library layers: binding of today's and older spellings of the arguments."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.binding import Bound, bind, defaults
from dllint.frameworks.keras.layers.rows import LAYERS
from dllint.frameworks.keras.protocols.layer import LAYER
from dllint.frameworks.keras.protocols.plain import is_size, plain
from dllint.frameworks.keras.protocols.precision import set_precision
from dllint.frameworks.keras.renames import TWO_SIDED, is_keras_1_call, is_keras_1_file, is_keras_1_window, layer_keyword
from dllint.frameworks.machine import Configure, Machine, constructor
from dllint.frameworks.registry import parameters
from dllint.frameworks.rows import LayerRow
from dllint.ir.events import Construction
from dllint.ir.values import Arguments, InstanceVal, LayerConfig, Value

#: Keywords of the base class that the protocols ask for.
KEPT: Final = ("name", "trainable", "input_shape", "batch_input_shape", "batch_shape", "input_dim", "input_length")


def keep_base_keywords(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
    """Remember the base class's keywords on the layer."""
    for key in KEPT:
        if key in arguments.kwargs:
            machine.write(layer.state, key, arguments.kwargs[key])
    set_precision(machine, layer, arguments)


@constructor(LAYER)
def construct_base(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
    """``super().__init__(...)`` of a user-defined layer."""
    keep_base_keywords(machine, layer, arguments)


def _layer_init(row: LayerRow) -> Configure:
    def init(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
        layer.layer = configure(row, arguments, _is_for_keras_1(machine))
        keep_base_keywords(machine, layer, arguments)
        machine.event(Construction, instance=layer, args=arguments.args, nodes=layer.layer.nodes)

    return init


for _row in LAYERS.values():
    constructor(_row.name)(_layer_init(_row))


def configure(row: LayerRow, arguments: Arguments, of_keras_1: bool = False) -> LayerConfig:
    """The constructor's arguments by canonical parameter. Old keywords take effect under their new names."""
    params = parameters(row.name, row.params) or ()
    bound = bind(params, arguments)
    given = {**bound.perhaps, **bound.values}
    name = row.name.rpartition(".")[2]
    for keyword, value in bound.unbound.items():
        given[layer_keyword(name, keyword) or keyword] = value
    _legacy_window(given, bound)
    _two_sided_window(row.name, given, bound, arguments, of_keras_1)
    _legacy_dense(name, given)
    args: dict[str, Value] = {**row.const}
    for key, value in {**defaults(params, bound), **given}.items():
        args[row.rename.get(key, key)] = None if isinstance(value, dict) and "?" in value else value
    return LayerConfig(row, args, {row.rename.get(key, key): node for key, node in bound.nodes.items()})


def _is_for_keras_1(machine: Machine) -> bool:
    """Whether the file that builds a layer is written for Keras 1."""
    document = machine.site.document
    return document is not None and document.answer(is_keras_1_file)


def _legacy_window(given: dict[str, Value], bound: Bound) -> None:
    """Keras 1: ``nb_row`` and ``nb_col`` are the kernel's height and width."""
    if "nb_row" in bound.unbound and "nb_col" in bound.unbound:
        given["kernel_size"] = (given.pop("nb_row"), given.pop("nb_col"))


def _two_sided_window(name: str, given: dict[str, Value], bound: Bound, arguments: Arguments, of_keras_1: bool) -> None:
    """Keras 1: ``Conv2D(32, 3, 3, border_mode="same")`` has a window of 3×3, in a file for it also one without keyword. That
    it is written so is reported; here its meaning counts."""
    if f"keras.layers.{name.rpartition('.')[2]}" not in TWO_SIDED or len(arguments.args) < 3:
        return
    height, width = (plain(side) for side in arguments.args[1:3])
    if not is_keras_1_call(bound.unbound) and not (of_keras_1 and is_keras_1_window(height, width, ())):
        return
    if is_size(height) and is_size(width):
        given["kernel_size"] = (height, width)
        if given.get("strides") is arguments.args[2]:
            del given["strides"]


def _legacy_dense(name: str, given: dict[str, Value]) -> None:
    """Keras 0: ``Dense(input_dim, output_dim)``. Today a number is no activation, so the call can only mean that."""
    if name == "Dense" and is_size(plain(given.get("activation"))):
        given["input_dim"], given["units"] = given.get("units"), given.pop("activation")


def declared_input(layer: InstanceVal) -> tuple[Value, Value] | None:
    """The input shape a layer declares for the model it starts: ``(shape without batch, batch size or None)``."""
    facts = {**(layer.layer.args if layer.layer is not None else {}), **layer.state}
    for key in ("batch_input_shape", "batch_shape"):
        full = plain(facts.get(key))
        if isinstance(full, tuple) and full:
            return full[1:], full[0]
    shape = plain(facts.get("input_shape"))
    if shape is not None:
        return shape, None
    width, length = plain(facts.get("input_dim")), plain(facts.get("input_length"))
    if _is_embedding(layer):
        return None if length is None else ((length,), None)
    if width is None:
        return None
    return ((length, width) if _takes_sequences(layer) else (width,)), None


def _is_embedding(layer: InstanceVal) -> bool:
    return layer.layer is not None and layer.layer.row.op == "embedding"


def _takes_sequences(layer: InstanceVal) -> bool:
    """Whether ``input_dim`` is the number of features of each step, and ``input_length`` that of the steps, as both are up to
    Keras 2; Keras 3 refuses them for these layers."""
    if layer.layer is None:
        return False
    row = layer.layer.row
    spatial = row.const.get("spatial")
    return row.op == "rnn" or (row.op == "conv" and isinstance(spatial, int) and spatial == 1)

"""``tf.contrib.layers`` and ``slim``: a Keras layer, then a normaliser, then an activation, with defaults from the scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.tensorflow.arg_scope import with_defaults
from dllint.frameworks.tensorflow.composites import emit
from dllint.frameworks.tensorflow.layers import input_precision
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, Value

HOME: Final = "tensorflow.contrib.layers"
#: Layers that one call applies.
_MOST_REPETITIONS: Final = 512
_RELU: Final = LibSymbol("tensorflow.nn.relu")
_TAIL: Final = (
    "normalizer_fn=None, normalizer_params=None, weights_initializer=None, weights_regularizer=None, biases_initializer=0, "
    "*rest, **options"
)
_CONVOLUTION: Final = (
    "inputs=None, num_outputs=None, kernel_size=None, stride=1, padding='SAME', data_format=None, rate=1, "
    "activation_fn='relu', " + _TAIL
)
_TRANSPOSED: Final = (
    "inputs=None, num_outputs=None, kernel_size=None, stride=1, padding='SAME', data_format=None, activation_fn='relu', "
    + _TAIL
)
_SEPARABLE: Final = (
    "inputs=None, num_outputs=None, kernel_size=None, depth_multiplier=1, stride=1, padding='SAME', data_format=None, rate=1, "
    "activation_fn='relu', " + _TAIL
)
_CONNECTED: Final = "inputs=None, num_outputs=None, activation_fn='relu', " + _TAIL
_POOLING: Final = "inputs=None, kernel_size=None, stride=2, padding='VALID', data_format=None, *rest, **options"

Asked = dict[str, Value]
Keywords = Callable[[Asked], dict[str, Value]]


def _window(asked: Asked) -> dict[str, Value]:
    """The window's arguments in Keras's terms."""
    out = {"kernel_size": asked["kernel_size"], "strides": asked["stride"], "padding": _lower(asked["padding"])}
    return out | {"data_format": _format(asked["data_format"])}


def _lower(padding: Value) -> Value:
    return padding.lower() if isinstance(padding, str) else padding


def _format(layout: Value) -> Value:
    return (
        None if layout is None else "channels_first" if isinstance(layout, str) and layout.startswith("NC") else "channels_last"
    )


def _convolution(asked: Asked) -> dict[str, Value]:
    return _window(asked) | {"filters": asked["num_outputs"], "dilation_rate": asked["rate"]} | _weights(asked)


def _transposed(asked: Asked) -> dict[str, Value]:
    return _window(asked) | {"filters": asked["num_outputs"]} | _weights(asked)


def _connected(asked: Asked) -> dict[str, Value]:
    return {"units": asked["num_outputs"]} | _weights(asked)


def _weights(asked: Asked) -> dict[str, Value]:
    """Initial values; a layer with a normaliser has no bias."""
    chosen = asked["weights_initializer"]
    kept: dict[str, Value] = {} if chosen is None else {"kernel_initializer": chosen}
    return kept | {"use_bias": asked["normalizer_fn"] is None and asked["biases_initializer"] is not None}


def _pooling(asked: Asked) -> dict[str, Value]:
    window = _window(asked)
    return {"pool_size": window.pop("kernel_size"), **window}


#: Function → (its signature, the Keras layer, the layer's arguments).
LAYERS: Final[dict[str, tuple[str, str, Keywords]]] = {
    "conv1d": (_CONVOLUTION, "Conv1D", _convolution),
    "conv2d": (_CONVOLUTION, "Conv2D", _convolution),
    "conv3d": (_CONVOLUTION, "Conv3D", _convolution),
    "conv2d_transpose": (_TRANSPOSED, "Conv2DTranspose", _transposed),
    "conv3d_transpose": (_TRANSPOSED, "Conv3DTranspose", _transposed),
    "fully_connected": (_CONNECTED, "Dense", _connected),
    "max_pool2d": (_POOLING, "MaxPooling2D", _pooling),
    "max_pool3d": (_POOLING, "MaxPooling3D", _pooling),
    "avg_pool2d": (_POOLING, "AveragePooling2D", _pooling),
    "avg_pool3d": (_POOLING, "AveragePooling3D", _pooling),
}


def _layer(name: str, signature: str, keras: str, keywords: Keywords) -> Handler:
    function = LibSymbol(f"{HOME}.{name}")

    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        asked = given(signature, with_defaults(machine, function, arguments))
        x = plain(asked["inputs"])
        layer = machine.call(LibSymbol(f"keras.layers.{keras}"), Arguments((), input_precision(x) | keywords(asked)))
        out = machine.call(layer, Arguments((x,)))
        return finished(machine, out, asked)

    return call


def finished(machine: Machine, out: Value, asked: Asked) -> Value:
    """A layer's output through its normaliser and its activation."""
    normalizer, activation = asked.get("normalizer_fn"), asked.get("activation_fn")
    if normalizer is not None:
        params = asked.get("normalizer_params")
        options = dict(params.items) if isinstance(params, DictVal) else {}
        out = machine.call(normalizer, Arguments((out,), {k: v for k, v in options.items() if isinstance(k, str)}))
    if activation is not None:
        out = machine.call(_RELU if activation == "relu" else activation, Arguments((out,)))
    return out


for _name, (_signature, _keras, _keywords) in LAYERS.items():
    handler(f"{HOME}.{_name}")(_layer(_name, _signature, _keras, _keywords))


@handler(f"{HOME}.separable_conv2d")
def separable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Depthwise, then 1×1; without ``num_outputs`` only depthwise."""
    asked = given(_SEPARABLE, with_defaults(machine, LibSymbol(f"{HOME}.separable_conv2d"), arguments))
    keywords = _window(asked) | {"depth_multiplier": asked["depth_multiplier"], "dilation_rate": asked["rate"]}
    alone = asked["num_outputs"] is None
    name = "DepthwiseConv2D" if alone else "SeparableConv2D"
    if not alone:
        keywords["filters"] = asked["num_outputs"]
    x = plain(asked["inputs"])
    layer = machine.call(LibSymbol(f"keras.layers.{name}"), Arguments((), input_precision(x) | keywords))
    return finished(machine, machine.call(layer, Arguments((x,))), asked)


@handler(f"{HOME}.batch_norm")
def normalize(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The input normalised over the batch, then activated."""
    scoped = with_defaults(machine, LibSymbol(f"{HOME}.batch_norm"), arguments)
    return _normalized(machine, "BatchNormalization", {}, scoped)


#: Function → what makes Keras's group normalisation do the same.
_GROUPS: Final[dict[str, dict[str, Value]]] = {"layer_norm": {"groups": 1}, "instance_norm": {"groups": -1}}


def _in_groups(name: str, keywords: dict[str, Value]) -> Handler:
    function = LibSymbol(f"{HOME}.{name}")

    def run(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """Each sample normalised by itself, then activated."""
        return _normalized(machine, "GroupNormalization", keywords, with_defaults(machine, function, arguments))

    return run


for _name, _given in _GROUPS.items():
    handler(f"{HOME}.{_name}")(_in_groups(_name, _given))


@handler(f"{HOME}.group_norm")
def group_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Groups of channels of each sample normalised by themselves, then activated."""
    asked = with_defaults(machine, LibSymbol(f"{HOME}.group_norm"), arguments)
    return _normalized(machine, "GroupNormalization", {"groups": argument(asked, "groups", 1, 32)}, asked)


@handler(f"{HOME}.unit_norm")
def unit_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The input divided by its norms along an axis."""
    x, dim = argument(arguments, "inputs", 0), argument(arguments, "dim", 1)
    return emit(machine, "l2_normalize", "contrib.layers.unit_norm", x=x, dim=dim)


@handler(f"{HOME}.bias_add")
def bias_add(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The input and one weight for each channel, then activated."""
    asked = given(
        "inputs=None, activation_fn=None, *rest, **options", with_defaults(machine, LibSymbol(f"{HOME}.bias_add"), arguments)
    )
    x = plain(asked["inputs"])
    out = emit(machine, "add", "contrib.layers.bias_add", x=x, y=_bias(machine, x)) if isinstance(x, TensorVal) else x
    return finished(machine, out, {"activation_fn": asked["activation_fn"]})


def _bias(machine: Machine, x: TensorVal) -> TensorVal:
    """A weight that broadcasts to a tensor."""
    shape: tuple[Dim, ...] = (x.shape[-1],) if isinstance(x.shape, tuple) and x.shape else ()
    return machine.tensor(TensorType(shape, x.dtype), framework="tensorflow", name="weight")


def _normalized(machine: Machine, keras: str, keywords: dict[str, Value], asked: Arguments) -> Value:
    """The input after a layer of Keras, which has a scale and a shift where the function is asked for them."""
    x = argument(asked, "inputs", 0)
    switches: dict[str, Value] = {name: asked.kwargs[name] for name in ("center", "scale") if name in asked.kwargs}
    if _format(asked.kwargs.get("data_format")) == "channels_first":
        switches["axis"] = 1
    layer = machine.call(LibSymbol(f"keras.layers.{keras}"), Arguments((), input_precision(x) | keywords | switches))
    out = machine.call(layer, Arguments((x,)))
    return finished(machine, out, {"activation_fn": asked.kwargs.get("activation_fn")})


@handler(f"{HOME}.dropout")
def dropout(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Dropout with the share that is kept."""
    return emit(machine, "dropout", "contrib.layers.dropout", x=argument(arguments, "inputs", 0))


@handler(f"{HOME}.flatten")
def flatten(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """All axes but the batch as one."""
    layer = machine.call(LibSymbol("keras.layers.Flatten"), Arguments())
    return machine.call(layer, Arguments((argument(arguments, "inputs", 0),)))


@handler(f"{HOME}.softmax")
def softmax(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Softmax over the last axis."""
    return emit(machine, "softmax", "contrib.layers.softmax", x=argument(arguments, "logits", 0), dim=-1)


@handler(f"{HOME}.one_hot_encoding")
def one_hot(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One-hot rows in floating point."""
    labels, classes = argument(arguments, "labels", 0), argument(arguments, "num_classes", 1)
    encoded = emit(machine, "one_hot", "contrib.layers.one_hot_encoding", x=labels, num_classes=classes)
    return emit(machine, "cast", "contrib.layers.one_hot_encoding", x=encoded, dtype="float32")


@handler(f"{HOME}.embed_sequence")
def embed_sequence(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Ids to vectors of a table that the function makes."""
    asked = given("ids=None, vocab_size=None, embed_dim=None, *rest, **options", arguments)
    layer = machine.call(LibSymbol("keras.layers.Embedding"), Arguments((asked["vocab_size"], asked["embed_dim"])))
    return machine.call(layer, Arguments((plain(asked["ids"]),)))


@handler(f"{HOME}.repeat")
def repeat(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``repeat(inputs, repetitions, layer, *args)``: a layer applied several times."""
    x, times, layer = (argument(arguments, name, i) for i, name in enumerate(("inputs", "repetitions", "layer")))
    if not isinstance(times, int) or times > _MOST_REPETITIONS:
        return machine.unknown("no-argument" if not isinstance(times, int) else "many-repetitions", "repetitions")
    options = {k: v for k, v in arguments.kwargs.items() if k not in ("inputs", "repetitions", "layer", "scope")}
    for _number in range(times):
        x = machine.call(layer, Arguments((x, *arguments.args[3:]), options))
    return x


@handler(f"{HOME}.stack")
def stack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``stack(inputs, layer, stack_args)``: a layer applied once per element, with that element's arguments."""
    x, layer = argument(arguments, "inputs", 0), argument(arguments, "layer", 1)
    each = machine.iterate(arguments.args[2] if len(arguments.args) > 2 else arguments.kwargs.get("stack_args"))
    if isinstance(each, Unknown):
        return machine.unknown("unknown-length", "stack_args")
    options = {k: v for k, v in arguments.kwargs.items() if k not in ("inputs", "layer", "stack_args", "scope")}
    for element in each:
        more = plain(element)
        x = machine.call(layer, Arguments((x, *(more if isinstance(more, tuple) else (more,))), options))
    return x


@handler(f"{HOME}.utils.collect_named_outputs")
def collect_named_outputs(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The outputs themselves, remembered under a name."""
    return argument(arguments, "outputs", 2)


@handler(f"{HOME}.utils.last_dimension")
def last_dimension(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The last size of a shape."""
    shape = argument(arguments, "shape", 0)
    return shape[-1] if isinstance(shape, tuple) and shape else machine.getitem(shape, -1)


@handler(f"{HOME}.utils.convert_collection_to_dict")
def convert_collection(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Outputs by name; which ones is not followed."""
    return DictVal({}, Unknown("run-time", "collection"))


@handler(*(f"{HOME}.{name}" for name in ("l1_regularizer", "l2_regularizer", "l1_l2_regularizer", "sum_regularizer")))
def regularizer(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A function from weights to a number."""
    return InstanceVal(LibSymbol(f"{HOME}.regularizer"), site=machine.site)


@handler(f"{HOME}.regularizer.__call__")
def penalty(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number for the weights."""
    weights = argument(arguments, "weights", 0)
    squares = emit(machine, "square", "contrib.layers.l2_regularizer", x=weights)
    return emit(machine, "sum", "contrib.layers.l2_regularizer", x=squares) if isinstance(weights, TensorVal) else squares

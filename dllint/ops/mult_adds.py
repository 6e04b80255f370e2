"""How many multiplications with an addition an operation needs.

Counted is what torch's ``FlopCounterMode`` counts (2.13; it counts each twice, as two floating-point operations): products of
matrices, convolutions, attention. Element by element, nothing is counted, and no bias. Recurrences, which it does not look into
on every device, are counted as the products that they consist of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dllint.domains.dim import Dim, product
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, numel
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value, unwrap
from dllint.ops.composed_counts import recurrence
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.ops.weight_counts import parts_of, size_of, window_of

Args = Mapping[str, Value]
_Count = Callable[[Op, Args], Dim]
#: Operations of layers with weights, which cost something unless it is said that they do not.
_LEARNED: Final = having(Trait.LEARNED) - having(Trait.VARIABLE) - having(Trait.STANDARDISES)
_COUNTS: Final[dict[str, _Count]] = {}


def costs(kind: str) -> Callable[[_Count], _Count]:
    """Register what an operation costs."""

    def register(count: _Count) -> _Count:
        _COUNTS[kind] = count
        return count

    return register


def mult_adds(op: Op) -> Dim | None:
    """The number for an operation, which may be symbolic; ``None`` if it is not known."""
    count = _COUNTS.get(op.kind)
    if count is None:
        return None if op.kind in _LEARNED else 0
    built = op.layer.layer.args if op.layer is not None and op.layer.layer is not None else {}
    try:
        return count(op, {name: unwrap(value) for name, value in {**built, **op.args}.items()})
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError):  # something is not known
        return None


def _shape(value: Value) -> Shape:
    """A shape. Raises TypeError if it is not known."""
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown):
        raise TypeError("shape")
    return value.shape


def _kernel(op: Op, args: Args) -> Shape | None:
    weight = args.get("weight")
    return _shape(weight) if isinstance(weight, TensorVal) else None


@costs("embedding")
@costs("embedding_bag")
@costs("prelu")
def _nothing(op: Op, args: Args) -> Dim:
    """Looking up and scaling multiply no matrices."""
    return 0


@costs("tensordot")
@costs("batch_dot")
@costs("np_dot")
def _not_described(op: Op, args: Args) -> Dim:
    raise TypeError("axes")


@costs("linear")
def _linear(op: Op, args: Args) -> Dim:
    return numel(_shape(op.output)) * _shape(args["x"])[-1]


@costs("bilinear")
def _bilinear(op: Op, args: Args) -> Dim:
    return numel(_shape(op.output)) * _shape(args["x"])[-1] * _shape(args["y"])[-1]


@costs("conv")
def _convolution(op: Op, args: Args) -> Dim:
    kernel = _kernel(op, args)
    if kernel is not None:  # torch: (out, in / groups, *window), elsewhere (*window, in / groups, out)
        return numel(_shape(op.output)) * product(kernel[1:] if op.framework == "torch" else kernel[:-1])
    groups = size_of(args, "groups") if args.get("groups") is not None else 1
    return numel(_shape(op.output)) * parts_of(size_of(args, "in_channels"), groups) * window_of(args)


@costs("conv_transpose")
def _transposed(op: Op, args: Args) -> Dim:
    kernel = _kernel(op, args)
    if kernel is not None:
        return numel(_shape(args["x"])) * product(kernel[1:])
    groups = size_of(args, "groups") if args.get("groups") is not None else 1
    return numel(_shape(args["x"])) * parts_of(size_of(args, "out_channels"), groups) * window_of(args)


@costs("depthwise_conv")
def _depthwise(op: Op, args: Args) -> Dim:
    kernel = _kernel(op, args)
    return numel(_shape(op.output)) * (product(kernel[:-2]) if kernel is not None else window_of(args))


@costs("separable_conv")
def _separable(op: Op, args: Args) -> Dim:
    if isinstance(args.get("weight"), TensorVal):
        raise TypeError("weight")
    channels = size_of(args, "in_channels")
    channels = channels * (size_of(args, "depth_multiplier") if args.get("depth_multiplier") is not None else 1)
    outputs = size_of(args, "out_channels")
    places = parts_of(numel(_shape(op.output)), outputs)
    return places * channels * (window_of(args) + outputs)


@costs("matmul")
@costs("mm")
@costs("bmm")
@costs("mv")
def _product(op: Op, args: Args) -> Dim:
    if args.get("transpose_a") not in (None, False):
        raise TypeError("transpose_a")
    return numel(_shape(op.output)) * _shape(args["x"])[-1]


@costs("addmm")
@costs("baddbmm")
def _added(op: Op, args: Args) -> Dim:
    left = args["mat1"] if "mat1" in args else args["batch1"]
    return numel(_shape(op.output)) * _shape(left)[-1]


def _attended(query: Shape, key: Shape, value: Shape) -> Dim:
    """Scores of every query with every key, and the sums of values that they weigh."""
    return product(query[:-1]) * key[-2] * (query[-1] + value[-1])


@costs("scaled_dot_product_attention")
def _attention(op: Op, args: Args) -> Dim:
    return _attended(_shape(args["query"]), _shape(args["key"]), _shape(args["value"]))


@costs("multihead_attention")
def _heads(op: Op, args: Args) -> Dim:
    """torch's MultiheadAttention."""
    query, key, value = _shape(args["query"]), _shape(args["key"]), _shape(args["value"])
    if args.get("add_bias_kv") or args.get("add_zero_attn"):
        raise TypeError("one more key")
    width = size_of(args, "embed_dim")
    length = 1 if len(query) == 3 and args.get("batch_first") is True else 0
    projected = 2 * numel(query) * width + numel(key) * width + numel(value) * width
    return projected + 2 * numel(query) * key[length]


@costs("transformer_encoder_layer")
@costs("transformer_decoder_layer")
def _block(op: Op, args: Args) -> Dim:
    """torch's TransformerEncoderLayer and TransformerDecoderLayer."""
    x = _shape(args["src"] if "src" in args else args["tgt"])
    length = 1 if len(x) == 3 and args.get("batch_first") is True else 0
    width, inner = size_of(args, "d_model"), size_of(args, "dim_feedforward")
    itself = 4 * numel(x) * width + 2 * numel(x) * x[length]
    dense = 2 * numel(x) * inner
    if "src" in args:
        return itself + dense
    memory = _shape(args["memory"])
    return itself + dense + 2 * (numel(x) + numel(memory)) * width + 2 * numel(x) * memory[length]


@costs("rnn")
def _recurrence(op: Op, args: Args) -> Dim:
    """Every step multiplies with every matrix once."""
    x = _shape(args["x"])
    layers = args.get("num_layers", 1)
    if args.get("proj_size") or not isinstance(layers, int):
        raise TypeError("proj_size")
    return product(x[:-1]) * recurrence({**args, "bias": False, "input_size": x[-1]})


@costs("einsum")
def _einsum(op: Op, args: Args) -> Dim:
    equation, operands = args["equation"], args.get("operands")
    if not isinstance(equation, str) or not isinstance(operands, tuple) or len(operands) > 2 or "." in equation:
        raise TypeError("equation")
    left, _, result = equation.replace(" ", "").partition("->")
    if not result:
        raise TypeError("equation")
    sizes: dict[str, Dim] = {}
    terms = left.split(",")
    for term, operand in zip(terms, operands, strict=True):
        for letter, size in zip(term, _shape(operand), strict=True):
            sizes[letter] = size if sizes.get(letter, 1) == 1 else sizes[letter]
    shared = set.intersection(*map(set, terms)) - set(result)
    return product(sizes.values()) if len(terms) > 1 and shared else 0


@costs("einsum_dense")
def _dense_einsum(op: Op, args: Args) -> Dim:
    """Keras's EinsumDense: ``input,kernel->output``; of the kernel's letters, those that the output lacks are summed over."""
    equation = args["equation"]
    if not isinstance(equation, str):
        raise TypeError("equation")
    left, _, result = equation.replace("...", "").partition("->")
    term, _, kernel = left.partition(",")
    x = _shape(args["x"])
    summed = [x[position - len(term)] for position, letter in enumerate(term) if letter in kernel and letter not in result]
    return numel(_shape(op.output)) * product(summed)


@costs("keras_attention")
def _keras_heads(op: Op, args: Args) -> Dim:
    """Keras's MultiHeadAttention on sequences."""
    query, value = _shape(args["query"]), _shape(args["value"])
    key = _shape(args["key"]) if isinstance(args.get("key"), TensorVal) else value
    if len(query) != 3 or args.get("attention_axes") is not None or "num_key_value_heads" in args:
        raise TypeError("rank")
    heads, width = size_of(args, "num_heads"), size_of(args, "key_dim")
    deep = size_of(args, "value_dim") if args.get("value_dim") is not None else width
    keys, values, queries = heads * width, heads * deep, product(query[:-1])
    projected = numel(query) * keys + numel(key) * keys + numel(value) * values
    return projected + queries * value[-2] * (keys + values) + queries * values * _shape(op.output)[-1]


@costs("dot_attention")
def _dot_attention(op: Op, args: Args) -> Dim:
    operands = args["x"]
    if not isinstance(operands, tuple) or len(operands) < 2:
        raise TypeError("x")
    query, value, key = operands[0], operands[1], operands[-1]
    return _attended(_shape(query), _shape(key), _shape(value))

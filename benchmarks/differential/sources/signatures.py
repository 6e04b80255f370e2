"""Calls drawn from the signatures of a library: a parameter's name tells what it is likely to be given."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from benchmarks.differential.calls import Argument, Call, Code, Row
from benchmarks.differential.tensors import Tensor

#: Functions that do not compute, or not by themselves: files, devices, other functions, the state of the library.
_SKIPPED: Final = re.compile(
    r"save|load|file|print|seed|assert|register|mpi|device|function|while|map|cond|scan|fold|switch|custom|deserial|serial|"
    r"tofile|from|get_|set_|show|info|busday|datetime|memmap|void|record|vectorize|iter|test|pickle|group|dynamic|ragged|string|"
    r"sparse|regex|timestamp|numpy_function|recompute|no_op|control|gradients|name_scope|module|tensor_array|jpeg|png|gif|bmp|"
    r"encode|decode|extract_jpeg|RaggedTensor|Graph|Tensor|Variable|Dataset|Lambda|TFSM|Torch|Jax|Flax|Hash|Vocab|Text|Integer|"
    r"StringL|Category|Mel|STFT|Pipeline|Wrapper|^Rand|Augment|Mix|CutMix|Wrapped|einsum|correlate_with|nested|callable|lookup|"
    r"matmul_benchmark|sampled|nce_|crf|ctc|erase|quanti|Quantize|apply_along|apply_over|piecewise|block$|bmat|poly|issub|"
    r"mask_indices|associative|vmap|rnn$|slice_update|isdtype|format|Input|Errstate|errstate|nditer|nested|ufunc|finfo|dtype$|"
    r"Masking|can_cast|typename|common_type|min_scalar|promote|result_type|einsum_path|safe_eval|flatiter|matrix$|asmatrix|"
    r"char|rec$|generic|number|object|bytes|str_|timedelta|Index|ndindex|ndenum|StackedRNN|saturate|in_top|stop_gradient|"
    r"frame$|raw_ops|approx_m|all_candidate|learned|fixed_unigram|log_uniform|collapse|shuffle|permuted|bit_generator|BitGen|"
    r"MT19937|PCG|Philox|SFC|RandomState|Generator|default_rng|bytes|state|broadcast_dynamic|shape_n|guarantee|init_scope|"
    r"meshgrid_dense|hessians|eye_like|Attention$|InputLayer|Layer$|RNN$|Bidirectional|TimeDist|Spectral|PReLU_|Minimum_|"
    r"Equalization|Gray|Bounding|AutoContrast|Solariz|Posteriz|Invert|Sharp|Shear|Trans(lation|form)|Perspective|Hue|Satur|Contrast|"
    r"Brightness|Flip$|Zoom|Crop$|Rotation|Elastic|Gaussian|Color|Crossed"
)


@dataclass(frozen=True, slots=True)
class Library:
    """Modules of a library by the text that programs write for them; ``types`` are element types as programs write them."""

    modules: Mapping[str, Any]
    dtype: Callable[[str], Code]
    types: tuple[str, ...]


@cache
def _parameters(function: Any) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(function).parameters.values())


def functions(library: Library) -> tuple[str, ...]:
    """The names of all functions and classes that can be called with tensors and plain arguments."""
    out = []
    for prefix, module in library.modules.items():
        for name in sorted(dir(module)):
            found = getattr(module, name)
            if name.startswith("_") or not callable(found) or _SKIPPED.search(name):
                continue
            try:
                _parameters(found)
            except (TypeError, ValueError):
                continue
            out.append(f"{prefix}.{name}")
    return tuple(out)


def resolved(library: Library, name: str) -> Any:
    """The function of a name."""
    prefix, _, last = name.rpartition(".")
    return getattr(library.modules[prefix], last)


class Drawer:
    """Draws the arguments of one call; its tensors share sizes."""

    def __init__(self, library: Library, source: random.Random) -> None:
        self._library, self._source = library, source
        rank = source.choice((1, 2, 2, 3, 3, 4))
        self._shape = tuple(source.randint(2, 4) for _ in range(rank))
        self._dtype = source.choice(("float32",) * 6 + library.types)

    def shaped(self, shape: tuple[int, ...]) -> Drawer:
        """The same with another shape."""
        self._shape = shape
        return self

    def call(self, name: str, options: float = 0.2) -> Call:
        """A call of a function; optional parameters are given with a probability."""
        parameters = [p for p in _parameters(resolved(self._library, name)) if p.name not in ("self", "name", "kwargs")]
        args: list[Argument] = []
        kwargs: dict[str, Argument] = {}
        for parameter in parameters:
            optional = parameter.default is not parameter.empty or parameter.kind in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            )
            if parameter.kind is parameter.VAR_KEYWORD or (optional and self._source.random() > options):
                continue
            value = self._argument(parameter)
            if value is _NOTHING:
                continue
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL) or (not kwargs and not optional):
                args.append(value)
            else:
                kwargs[parameter.name] = value
        return Call(name, tuple(args), kwargs, keywords=_positions(parameters))

    def tensor(self, kinds: str = "") -> Tensor:
        """A tensor of the shape that the call's tensors share, or one that is broadcast with it."""
        source, shape = self._source, self._shape
        way = source.random()
        if way < 0.08 and shape:
            shape = tuple(1 if source.random() < 0.5 else size for size in shape)
        elif way < 0.14:
            shape = shape[1:]
        dtype = source.choice(("int32", "int64")) if kinds == "whole" else "bool" if kinds == "truth" else self._dtype
        if dtype in ("int32", "int64", "uint8", "bool"):
            return Tensor(shape, dtype, source.choice(("whole", "range", "constant")), 0, 3)
        if kinds == "matrix":
            size = source.randint(2, 4)
            return Tensor((*shape[:-2], size, size), dtype, source.choice(("eye", "uniform")))
        return self._with_elements(Tensor(shape, dtype))

    def _with_elements(self, tensor: Tensor) -> Tensor:
        source = self._source
        if tensor.count <= 12 and source.random() < 0.35:
            data = tuple(round(source.uniform(-2, 3), source.choice((1, 2, 4))) for _ in range(tensor.count))
            return replace(tensor, fill="literal", data=data, low=-2, high=3)
        return replace(
            tensor, fill=source.choice(("uniform", "uniform", "normal", "constant", "range")), high=source.choice((1, 1, 3))
        )

    # --- arguments by the names of parameters -------------------------------------------------------------------------

    def _argument(self, parameter: inspect.Parameter) -> Any:
        for names, draw in _BY_NAME.items():
            if re.fullmatch(names, parameter.name):
                return draw(self)
        default = parameter.default
        if isinstance(default, bool):
            return self._source.random() < 0.5
        if isinstance(default, int):
            return self._source.choice((default, 1, 2, 3))
        if isinstance(default, float):
            return self._source.choice((default, 0.1, 0.5, 2.0))
        return _NOTHING if default is not parameter.empty else self.tensor()

    def pick(self, *options: Argument) -> Argument:
        """One of some values."""
        return self._source.choice(options)

    def axis(self) -> Argument:
        """An axis, mostly within the rank."""
        rank = max(len(self._shape), 1)
        found = self._source.randrange(-rank, rank)
        return Row((0, -1), "()") if rank > 1 and self._source.random() < 0.12 else found

    def permutation(self) -> Argument:
        """An order of the axes."""
        axes: list[Argument] = list(range(len(self._shape)))
        self._source.shuffle(axes)
        return Row(tuple(axes))

    def sizes(self) -> Argument:
        """A shape with as many elements, or any."""
        shape = self._shape if self._source.random() < 0.3 else (-1,) if self._source.random() < 0.5 else (2, 3)
        return Row(tuple(shape), "()")

    def several(self) -> Argument:
        """A row of tensors."""
        return Row(tuple(self.tensor() for _ in range(self._source.randint(2, 3))))

    def element_type(self) -> Argument:
        """An element type."""
        return self._library.dtype(self._source.choice(self._library.types))


_NOTHING: Final = object()


def _positions(parameters: Iterable[inspect.Parameter]) -> tuple[str, ...]:
    out = []
    for parameter in parameters:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            return ()
        out.append(parameter.name)
    return tuple(out)


_BY_NAME: Final[dict[str, Callable[[Drawer], Any]]] = {
    "x|x1|x2|y|a|b|input|inputs|tensor|values?|data|features|logits|image|images|array|arr|ary|m|v|y_true|y_pred|targets?|output|"
    "predictions|input_tensor|q|operand|rhs|array1|array2|params|ar|element|filter|filters_": Drawer.tensor,
    "indices|labels|segment_ids|repeats_|index|ind|truth_": lambda d: d.tensor("whole"),
    "condition|mask|where_|condlist": lambda d: d.tensor("truth"),
    "matrix|chol": lambda d: d.tensor("matrix"),
    "arrays|tup|xs|tensors|sequences|seq|ar_list|elems": Drawer.several,
    "axis|dim|axis1|axis2|source|destination|batch_dims_|reduction_axes": Drawer.axis,
    "axes|perm": Drawer.permutation,
    "shape|newshape|new_shape|target_shape|batch_shape_|dims": Drawer.sizes,
    "dtype|output_type_|out_type_|Tout": Drawer.element_type,
    "keepdims|keep_dims|use_bias|reverse|exclusive|transpose_[ab]|return_sequences|full_matrices_|endpoint|sorted|center|scale_":
        lambda d: d.pick(True, False),
    "filters": lambda d: d.pick(1, 2, 4),
    "units|embedding_dim|output_dim|num_classes|depth|num|k|n|N|M|num_rows|num_columns|num_lower|num_upper":
        lambda d: d.pick(1, 2, 3, 4),
    "kernel_size|pool_size|ksize|size_": lambda d: d.pick(1, 2, 3, Row((2, 2), "()")),
    "strides": lambda d: d.pick(1, 2),
    "padding": lambda d: d.pick("same", "valid", "SAME", "VALID"),
    "data_format": lambda d: d.pick("channels_last", "channels_first"),
    "dilation_rate|dilations": lambda d: d.pick(1, 2),
    "groups|depth_multiplier": lambda d: d.pick(1, 2),
    "activation": lambda d: d.pick("relu", "tanh", "softmax", None, "gelu", "swish"),
    "rate|dropout|recurrent_dropout": lambda d: d.pick(0.0, 0.3, 0.5),
    "reduction": lambda d: d.pick("none", "sum", "sum_over_batch_size", "mean"),
    "from_logits|equal_nan|return_state|go_backwards|training|approximate|compute_uv": lambda d: d.pick(True, False),
    "alpha|beta|gamma|epsilon|scale|factor|delta|threshold|max_val|p|negative_slope|offset|max_delta|gain|gamma_":
        lambda d: d.pick(0.5, 1.0, 2.0, 0.1, 1),
    "start": lambda d: d.pick(0, 1, 0.5),
    "stop|limit|end": lambda d: d.pick(3, 5, 4.0),
    "a_min|min|clip_value_min|x_min|lower_|minval|low|loc|mean_": lambda d: d.pick(0, -1, 0.2),
    "a_max|max|clip_value_max|x_max|upper_|maxval|high": lambda d: d.pick(2, 1, 0.8, 5),
    "fill_value|constant_values": lambda d: d.pick(0, 1, 0.5, -1, 2.7),
    "shift|shifts": lambda d: d.pick(1, -1, 2),
    "repeats|multiples|reps|nrep": lambda d: d.pick(2, 1, 3),
    "indices_or_sections|num_or_size_splits": lambda d: d.pick(2, 1, 3, Row((1, 2))),
    "pad_width|paddings": lambda d: d.pick(1, Row((Row((1, 1)), Row((0, 2))))),
    "size": lambda d: d.pick(Row((2, 3), "()"), Row((4, 5), "()"), 3),
    "interpolation|method": lambda d: d.pick("bilinear", "nearest", "linear"),
    "mode": lambda d: d.pick("constant", "reflect", "edge", "same", "full", "valid"),
    "ord": lambda d: d.pick(1, 2, "fro", "euclidean"),
    "diagonal_": lambda d: d.pick(0, 1, -1),
    "target_height|target_width|height|width|new_height|new_width": lambda d: d.pick(2, 3, 5),
    "block_size": lambda d: d.pick(2, 3),
    "output_size": lambda d: d.pick(1, 2, 3),
    "decimals": lambda d: d.pick(0, 1, 2),
    "ddof|correction": lambda d: d.pick(0, 1),
    "bins|minlength|maxlength": lambda d: d.pick(3, 5),
    "initial|where|out|casting|order|subok|signature|like|device|sparse|ragged|names?|noise_shape|seed|weekmask|holidays|"
    ".*_initializer|.*_regularizer|.*_constraint|lora.*|quantization.*|loss_weights|validate.*|parallel.*|back_prop|swap.*|"
    "flash.*|copy|input_output_dtype|unroll|stateful|zero_output.*|optional.*|sharding|bad_.*": lambda d: _NOTHING,
    "num_heads|key_dim|value_dim|num_segments|input_dim": lambda d: d.pick(2, 3, 4),
}  # fmt: skip

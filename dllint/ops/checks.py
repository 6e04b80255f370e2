"""Checks of a layer's configuration, from which ``ops/layers.py`` chooses those of each operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dllint.domains.dim import Dim, bounds, differs, mod, show
from dllint.domains.lattice import Unknown
from dllint.ir.program import Fault, Framework
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim

Config = Mapping[str, Value]
Check = Callable[[Framework, Config], Iterator[Fault]]


def _fault(operand: str, actual: Value, detail: str) -> Fault:
    return Fault(faults.ARGUMENT, operand=operand, actual=actual, detail=detail)


@dataclass(frozen=True, slots=True)
class Divisible:
    """``total`` must divide into ``parts``."""

    total: str
    parts: str

    def __call__(self, framework: Framework, config: Config) -> Iterator[Fault]:
        """The fault, if a known number of parts does not divide the total."""
        whole, count = config.get(self.total), config.get(self.parts)
        if is_dim(whole) and isinstance(count, int) and count > 0 and differs(mod(whole, count), 0):
            detail = f"{self.total} {show(whole)} is not divisible by {self.parts} {count}"
            yield _fault(self.total, whole, detail)


def at_least(least: int, *names: str) -> Check:
    """Sizes, one or several per argument, must not be provably smaller than ``least``."""

    def check(framework: Framework, config: Config) -> Iterator[Fault]:
        for name in names:
            for dim in _each(config.get(name)):
                high = bounds(dim)[1]
                if high is not None and high < least:
                    yield _fault(name, dim, f"{name} must be at least {least}, not {show(dim)}")
                    break

    return check


def _each(value: Value) -> tuple[Dim, ...]:
    values = value if isinstance(value, tuple) else (value,)
    return tuple(v for v in values if is_dim(v))


def entries(*names: str) -> Check:
    """Sizes given one per axis must have ``spatial`` entries. torch takes one entry for all axes, too; TensorFlow's functions
    also list the batch and channel axes."""

    def check(framework: Framework, config: Config) -> Iterator[Fault]:
        spatial = config.get("spatial")
        if not isinstance(spatial, int):
            return
        allowed = {"torch": (1, spatial), "tensorflow": (1, spatial, spatial + 2)}.get(framework, (spatial,))
        for name in names:
            value = config.get(name)
            if value == () and framework == "torch":  # as if it were not given
                continue
            if isinstance(value, tuple) and len(value) not in allowed:
                axes = "axis" if spatial == 1 else "axes"
                yield _fault(name, value, f"{name} has {len(value)} entries for {spatial} spatial {axes}")

    return check


def same_padding(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch has no ``"same"`` with a stride; Keras has ``"causal"`` for one axis only."""
    padding, stride = config.get("padding"), config.get("stride")
    if framework == "torch" and isinstance(padding, str):
        if padding not in ("same", "valid"):
            yield _fault("padding", padding, f"padding must be 'valid', 'same' or numbers, not {padding!r}")
        elif padding == "same" and any(differs(s, 1) for s in _each(stride)):
            yield _fault("stride", stride, "padding='same' is not supported with a stride other than 1")
    elif isinstance(padding, str) and padding.lower() not in ("same", "valid", "causal"):
        yield _fault("padding", padding, f"padding must be 'valid' or 'same', not {padding!r}")
    elif isinstance(padding, str) and padding.lower() == "causal" and config.get("spatial") in (2, 3):
        yield _fault("padding", padding, "padding='causal' exists for one spatial axis only")


def dilated_stride(framework: Framework, config: Config) -> Iterator[Fault]:
    """Keras refuses a stride together with a dilation, but for convolutions of each channel by itself."""
    if framework == "torch":
        return
    strided = any(differs(s, 1) for s in _each(config.get("stride")))
    if strided and any(differs(d, 1) for d in _each(config.get("dilation"))):
        yield _fault("dilation", config.get("dilation"), "strides > 1 and dilation_rate > 1 exclude each other")


def output_padding(framework: Framework, config: Config) -> Iterator[Fault]:
    """``output_padding`` must be smaller than the stride or the dilation (torch), than the stride (Keras)."""
    extra, stride, dilation = (config.get(name) for name in ("output_padding", "stride", "dilation"))
    if not all(isinstance(v, int) for v in _each(extra) + _each(stride) + _each(dilation)):
        return
    spatial = max(len(_each(v)) for v in (extra, stride, dilation))
    rows = [(_each(v) or (default,)) for v, default in ((extra, 0), (stride, 1), (dilation, 1))]
    rows = [row * spatial if len(row) == 1 else row for row in rows]
    for more, step, spread in zip(*rows, strict=False):
        limit = max(step, spread) if framework == "torch" else step
        if isinstance(limit, int) and isinstance(more, int) and more >= limit and more > 0:
            yield _fault("output_padding", more, f"output_padding {more} must be smaller than {limit}")
            return


def pool_padding(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch pads a pooling by half its window at most."""
    pads, kernels = _each(config.get("padding")), _each(config.get("kernel_size"))
    if framework != "torch" or not pads or not kernels:
        return
    count = max(len(pads), len(kernels))
    for pad, kernel in zip(pads * (count // len(pads)), kernels * (count // len(kernels)), strict=False):
        if isinstance(pad, int) and isinstance(kernel, int) and pad * 2 > kernel:
            yield _fault("padding", pad, f"padding {pad} is more than half the window {kernel}")
            return


def projection(framework: Framework, config: Config) -> Iterator[Fault]:
    """``proj_size`` exists for an LSTM only and must be smaller than ``hidden_size``."""
    proj, hidden = config.get("proj_size"), config.get("hidden_size")
    if not isinstance(proj, int) or proj == 0:
        return
    if config.get("kind") in ("gru", "rnn"):
        yield _fault("proj_size", proj, "proj_size exists for LSTM only")
    elif isinstance(hidden, int) and proj >= hidden:
        yield _fault("proj_size", proj, f"proj_size {proj} must be smaller than hidden_size {hidden}")


def probability(name: str) -> Check:
    """A probability must lie in 0..1."""

    def check(framework: Framework, config: Config) -> Iterator[Fault]:
        p = config.get(name)
        if isinstance(p, (int, float)) and not isinstance(p, bool) and not 0 <= p <= 1:
            yield _fault(name, p, f"{name} must lie between 0 and 1, not {p}")

    return check


def positive(name: str) -> Check:
    """A number must be larger than 0."""

    def check(framework: Framework, config: Config) -> Iterator[Fault]:
        number = config.get(name)
        if framework == "torch" and isinstance(number, (int, float)) and number <= 0:
            yield _fault(name, number, f"{name} must be larger than 0, not {number}")

    return check


def not_negative(name: str) -> Check:
    """A number must not be smaller than 0."""

    def check(framework: Framework, config: Config) -> Iterator[Fault]:
        number = config.get(name)
        if framework == "torch" and isinstance(number, (int, float)) and number < 0:
            yield _fault(name, number, f"{name} must not be negative, but is {number}")

    return check


def embedding_dim(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch builds tables of rows without elements, too (2.13, run)."""
    return at_least(0 if framework == "torch" else 1, "embedding_dim")(framework, config)


def padding_index(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch's ``padding_idx`` must be a row of the table; it may count from the end."""
    index, rows = config.get("padding_idx"), config.get("num_embeddings")
    if isinstance(index, int) and isinstance(rows, int) and not -rows <= index < rows:
        yield _fault("padding_idx", index, f"padding_idx {index} is not one of the {rows} rows")


def one_of_size_and_scale(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch's interpolation wants exactly one of size and scale factor."""
    given = (config.get("size"), config.get("scale_factor"))
    if framework == "torch" and not any(value is None or isinstance(value, Unknown) for value in given):
        yield _fault("scale_factor", config.get("scale_factor"), "only one of size and scale_factor may be given")


def some_output(framework: Framework, config: Config) -> Iterator[Fault]:
    """Keras pools into one place at least."""
    if framework != "torch":
        yield from at_least(1, "output_size")(framework, config)


def pooled_sizes(framework: Framework, config: Config) -> Iterator[Fault]:
    """torch pools to one size for all axes or to one for each, of which none is negative."""
    given, spatial = config.get("output_size"), config.get("spatial")
    if framework != "torch":
        return
    yield from at_least(0, "output_size")(framework, config)
    if isinstance(given, tuple) and isinstance(spatial, int) and len(given) != spatial:
        yield _fault("output_size", given, f"output_size has {len(given)} entries for {spatial} spatial axes")


def some_units(framework: Framework, config: Config) -> Iterator[Fault]:
    """Keras refuses cells without units; cells of torch run without."""
    if framework != "torch":
        yield from at_least(1, "hidden_size")(framework, config)


def some_channels(framework: Framework, config: Config) -> Iterator[Fault]:
    """Keras refuses layers without channels; torch builds them, with a warning."""
    if framework != "torch":
        yield from at_least(1, "in_channels", "out_channels")(framework, config)

"""``torch.distributions``: distributions by their parameters, their draws and densities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

HOME: Final = "torch.distributions"
BASE: Final = f"{HOME}.Distribution"
LIBRARY_BASES[BASE] = ()


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of distribution: its signature, the parameters that make its shape (of alternatives the first that is given), how
    many axes belong to one draw, and whether these are the weights of classes."""

    signature: str
    parameters: tuple[tuple[str, ...], ...]
    event: int = 0
    classes: bool = False


_PLACED: Final = Family("loc, scale, validate_args=None", (("loc",), ("scale",)))
_TRUTH: Final = Family("probs=None, logits=None, validate_args=None", (("probs", "logits"),))
_RELAXED: Final = "temperature, probs=None, logits=None, validate_args=None"
FAMILIES: Final = {
    "Bernoulli": _TRUTH,
    "Beta": Family("concentration1, concentration0, validate_args=None", (("concentration1",), ("concentration0",))),
    "Categorical": Family(_TRUTH.signature, _TRUTH.parameters, 0, True),
    "Cauchy": _PLACED,
    "Dirichlet": Family("concentration, validate_args=None", (("concentration",),), 1),
    "Exponential": Family("rate, validate_args=None", (("rate",),)),
    "Gamma": Family("concentration, rate, validate_args=None", (("concentration",), ("rate",))),
    "Geometric": _TRUTH,
    "Gumbel": _PLACED,
    "Laplace": _PLACED,
    "LogNormal": _PLACED,
    "LogisticNormal": Family(_PLACED.signature, (), 1),
    "Normal": _PLACED,
    "OneHotCategorical": Family(_TRUTH.signature, _TRUTH.parameters, 1),
    "OneHotCategoricalStraightThrough": Family(_TRUTH.signature, _TRUTH.parameters, 1),
    "Poisson": Family("rate, validate_args=None", (("rate",),)),
    "RelaxedBernoulli": Family(_RELAXED, _TRUTH.parameters),
    "RelaxedOneHotCategorical": Family(_RELAXED, _TRUTH.parameters, 1),
    "Uniform": Family("low, high, validate_args=None", (("low",), ("high",))),
}
LIBRARY_BASES.update({f"{HOME}.{name}": (BASE,) for name in (*FAMILIES, "Independent")})


def _emit(machine: Machine, op: str, **args: Value) -> Value:
    return machine.emit(op, args, framework="torch", spelled=BASE)


def _register(name: str, family: Family) -> None:
    @handler(f"{HOME}.{name}")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        bound = given(family.signature, arguments)
        chosen = [next((bound[name] for name in names if bound.get(name) is not None), None) for names in family.parameters]
        operands = dict(zip(("x", "y"), chosen, strict=False))
        known = bool(operands) and all(operand is not None for operand in chosen)
        base = _emit(machine, "distribution", **operands) if known else machine.unknown("not-followed", name)
        state: dict[str, Value] = {"base": base, "event": family.event, "classes": family.classes}
        own = {key: bound[key] for names in family.parameters for key in names if isinstance(bound.get(key), TensorVal)}
        open_ended = Unknown("not-followed", "parameters of a distribution")
        return InstanceVal(LibSymbol(f"{HOME}.{name}"), own, machine.site, open=open_ended, state=state)


for _name, _family in FAMILIES.items():
    _register(_name, _family)


@handler(f"{HOME}.Independent")
def independent(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Axes of a batch become axes of one draw."""
    bound = given("base_distribution, reinterpreted_batch_ndims, validate_args=None", arguments)
    inner, axes = bound.get("base_distribution"), bound.get("reinterpreted_batch_ndims")
    state: dict[str, Value] = {name: Unknown("not-followed", "Independent") for name in ("base", "event", "classes")}
    if isinstance(inner, InstanceVal) and isinstance(axes, int):
        event = inner.kept("event")
        state = {"base": inner.kept("base"), "event": event + axes if isinstance(event, int) else event, "classes": False}
        if inner.kept("classes") is not False:
            state["base"] = machine.unknown("not-followed", "classes of Independent")
    if not isinstance(inner, InstanceVal):
        return machine.unknown("not-followed", "Independent")
    return InstanceVal(LibSymbol(f"{HOME}.Independent"), {"base_dist": inner}, machine.site, open=inner.open, state=state)


def _drawn(machine: Machine, op: str, distribution: InstanceVal, arguments: Arguments) -> Value:
    shape = given("sample_shape=()", arguments).get("sample_shape")
    sizes = tuple(shape.items) if isinstance(shape, ListVal) and shape.rest is None else shape
    base, classes = distribution.kept("base"), distribution.kept("classes")
    if not isinstance(base, TensorVal):
        return machine.unknown("not-followed", "distribution")
    return _emit(machine, op, x=base, sample_shape=sizes, classes=classes)


@handler(f"{BASE}.sample", on=InstanceVal)
def sample(machine: Machine, distribution: InstanceVal, arguments: Arguments) -> Value:
    """``distribution.sample(sample_shape)``."""
    return _drawn(machine, "distribution_sample", distribution, arguments)


@handler(f"{BASE}.rsample", on=InstanceVal)
def rsample(machine: Machine, distribution: InstanceVal, arguments: Arguments) -> Value:
    """``distribution.rsample(sample_shape)``, differentiable in the parameters."""
    return _drawn(machine, "distribution_rsample", distribution, arguments)


@handler(f"{BASE}.log_prob", on=InstanceVal)
def log_prob(machine: Machine, distribution: InstanceVal, arguments: Arguments) -> Value:
    """``distribution.log_prob(value)``."""
    value, base = given("value", arguments).get("value"), distribution.kept("base")
    if not isinstance(base, TensorVal) or not isinstance(value, TensorVal):
        return machine.unknown("not-followed", "distribution")
    kept = {name: distribution.kept(name) for name in ("event", "classes")}
    return _emit(machine, "distribution_log_prob", x=base, value=value, **kept)


@handler(f"{BASE}.entropy", on=InstanceVal)
def entropy(machine: Machine, distribution: InstanceVal, arguments: Arguments) -> Value:
    """``distribution.entropy()``."""
    base = distribution.kept("base")
    return _emit(machine, "distribution_batch", x=base, event=_axes(distribution)) if isinstance(base, TensorVal) else base


def _axes(distribution: InstanceVal) -> Value:
    """The axes of the parameters that one number of the batch stands for."""
    event = distribution.kept("event")
    return event + 1 if isinstance(event, int) and distribution.kept("classes") is True else event


@handler(f"{HOME}.kl_divergence")
def kl_divergence(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``kl_divergence(p, q)``: a number for each pair of the two batches."""
    bound = given("p, q", arguments)
    p, q = bound.get("p"), bound.get("q")
    if not isinstance(p, InstanceVal) or not isinstance(q, InstanceVal):
        return machine.unknown("not-followed", "kl_divergence")
    first, second, axes = p.kept("base"), q.kept("base"), _axes(p)
    if not isinstance(first, TensorVal) or not isinstance(second, TensorVal) or axes != _axes(q):
        return machine.unknown("not-followed", "kl_divergence")
    return _emit(machine, "distribution_batch", x=_emit(machine, "distribution", x=first, y=second), event=axes)


@prop(f"{BASE}.mean", f"{BASE}.stddev", f"{BASE}.variance")
def moment(machine: Machine, distribution: Value) -> Value:
    """A number for each element of a draw."""
    if not isinstance(distribution, InstanceVal) or distribution.kept("classes") is not False:
        return machine.unknown("not-followed", "moment of a distribution")
    base = distribution.kept("base")
    return _emit(machine, "distribution_batch", x=base, event=0) if isinstance(base, TensorVal) else base

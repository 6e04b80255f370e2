"""DLO124: a learning rate with which a network does not train."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

import libcst as cst

from dllint.analysis.keras_training import sequence
from dllint.analysis.modules import has_weights, tree
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, InstanceVal, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: What sets the rate later, so that the number in the constructor is not what training begins with.
_SCHEDULED: Final = re.compile(
    r"param_groups|lr_scheduler|[Ss]cheduler|schedule|warm_?up|get_last_lr|set_lr|adjust_l"
    r"|\.(?:learning_rate|lr)(?:\s*[-+*/]?=(?!=)|\.assign)",
    re.A,
)
#: The same without the attribute, which may be that of settings from which the optimizer gets its rate.
_SCHEDULERS: Final = re.compile(r"param_groups|lr_scheduler|[Ss]cheduler|schedule|warm_?up|get_last_lr|set_lr|adjust_l", re.A)
#: Names of what sets a rate: a helper or a function of the program itself. Who writes 0 means to set another one, mostly.
_SETS: Final = re.compile(r"\b(?:lr|LR)_?[A-Za-z]|\w_lr\b", re.A)
#: Schedulers that begin with the rate of the optimizer and only ever make it smaller.
_FALLING: Final = re.compile(r"\b(?:StepLR|MultiStepLR|ExponentialLR|CosineAnnealingLR|ReduceLROnPlateau|PolynomialLR)\b")
#: What gives a training another rate to begin with, though such a scheduler is there, too.
_BEGINS: Final = re.compile(
    r"\[\s*[\"']lr[\"']\s*\]\s*[-+*/]?=(?!=)|\.(?:learning_rate|lr)\s*[-+*/]?=(?!=)|warm_?up|set_lr|adjust_l|Lambda|Cycl|Linear"
    r"LR|ConstantLR|Sequential(?:LR)|Chained|Multiplicative|get_\w*schedule",
    re.A | re.IGNORECASE,
)
_NAMES: Final = ("lr", "learning_rate")


class Band(NamedTuple):
    """The rates of a kind of optimizer of networks with hidden layers: from ``high`` on they are unusual (small networks do
    train with them), from ``most`` on far above what is ever used."""

    high: float
    most: float
    usual: str


_ADAPTIVE: Final = Band(0.1, 1.0, "0.001")
_PLAIN: Final = Band(1.5, 10.0, "0.01")
#: Optimizer → its band. Others (rates relative to the weights, or found by themselves) have none.
_BANDS: Final = {
    **dict.fromkeys(("Adam", "AdamW", "Adamax", "Nadam", "NAdam", "RAdam", "RMSprop"), _ADAPTIVE),
    "SGD": _PLAIN,
}
#: Below this, a step in single precision leaves weights of the usual size as they are.
_LEAST: Final = 1e-9
_HOMES: Final = ("torch.optim.", "keras.optimizers.")
#: What configures a trainer whose optimizer is AdamW unless another one is named.
_TRAINERS: Final = frozenset({"transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments"})


class LearningRateOutOfRange(Rule[LibraryCall]):
    """An optimizer of a network with hidden layers gets a learning rate of 0, below 0, or far above what trains one.

    ## What it finds
    A rate that is written down and is 0, negative or below 1e-9; 1 and more for Adam and its like and for RMSprop, 10 and
    more for SGD (as a hint from 0.1 and 1.5 on: public code fits prices of houses with Adam at 0.5), also as the default of a
    command line or another setting. Momentum counts: with 0.9, a rate of 3 adds up to 30. The model has at least two layers
    with weights.

    ## Why it is bad
    Steps of Adam are about as long as the rate, whatever the gradients are: with 1 all weights of a layer are moved by more
    than their own size in each step. The loss jumps, rectifiers die, or nothing is learned at all.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0)  # error: [DLO124]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0)  # error: [DLO124]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    ```

    ## When it stays silent
    Rates that a schedule or other code sets, models of a single layer, pixels and other tensors that are optimised themselves,
    and optimizers whose rate means something else.
    ```python
    import torch
    from torch import nn

    line = nn.Linear(8, 1)
    convex = torch.optim.Adam(line.parameters(), lr=0.5)
    picture = torch.rand(3, 64, 64, requires_grad=True)
    pixels = torch.optim.Adam([picture], lr=1.0)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    second_order = torch.optim.LBFGS(model.parameters(), lr=1)
    relative = torch.optim.Adadelta(model.parameters(), lr=1.0)
    ```

    ## References
    - D. Kingma, J. Ba, Adam: a method for stochastic optimization, 2015: steps are bounded by the rate.
    - N. Humbatova et al., Taxonomy of real faults in deep learning systems, 2020: suboptimal learning rate.
    """

    code = "DLO124"
    name = "learning-rate-out-of-range"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (*(f"{home}*" for home in _HOMES), *sorted(_TRAINERS))

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """An optimizer that is made, or the arguments of a trainer that makes one."""
        if item.name in _TRAINERS:
            yield from self._of_trainer(item, context)
            return
        home, _, name = item.name.rpartition(".")
        if f"{home}." not in _HOMES or name not in _BANDS:
            return
        rate, default = _rate(item), _default_rate(item)
        rate = default if rate is None and default is not None and _reached(item, default) >= _BANDS[name].most else rate
        if rate is None:
            return
        refused = rate < 0 and item.name.startswith(_HOMES[0])
        told = "is refused" if refused else _told(rate, name)
        if told is None or _is_scheduled(item, rate, context) or not _has_hidden_layers(item, context):
            return
        argument = _argument(item)
        shown = context.text(argument.value) if isinstance(argument, cst.Arg) else f"{rate:g}"
        shown = f"{rate:g}" if default is not None else shown
        yield context.finding(
            self,
            item,
            f"a learning rate of {quoted(shown)}{', the default,' if default is not None else ''} {told}",
            advice=f"set it to a usual one, {_BANDS[name].usual} say",
            node=argument,
            severity=Severity.ERROR if refused else _severity(_reached(item, rate), name),
        )

    def _of_trainer(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        rate, argument = item.bound.get("learning_rate"), item.nodes.get("learning_rate")
        if not isinstance(rate, float) or rate < _MOST_OF_TRAINER or "optim" in item.bound or "optim" in item.nodes:
            return
        shown = context.text(argument.value if isinstance(argument, cst.Arg) else argument) or f"{rate:g}"
        yield context.finding(
            self,
            item,
            f"a learning rate of {quoted(shown)} is far above what a transformer trains with by AdamW",
            advice="set it to a usual one, 5e-5 say",
            node=argument,
        )


#: 200 times the default of 5e-5; the published recipes of transformers go up to about 1e-3.
_MOST_OF_TRAINER: Final = 0.01


def _told(rate: float, name: str) -> str | None:
    """What is wrong with a rate."""
    if rate < 0:
        return "makes the loss rise"
    if rate < _LEAST:
        return "leaves all weights as they are"
    if rate >= _BANDS[name].high:
        return f"is far above what a network trains with by {name}"
    return None


def _severity(rate: float, name: str) -> Severity | None:
    return Severity.HINT if _BANDS[name].high <= rate < _BANDS[name].most else None


def _reached(item: LibraryCall, rate: float) -> float:
    """The rate with which an optimizer goes on in one direction: momentum ``m`` adds up to 1 / (1 - m) steps. A rate that is
    not unusual itself counts as it is."""
    momentum = unwrap(item.bound.get("momentum"))
    if rate < _BANDS[item.name.rpartition(".")[2]].high or not isinstance(momentum, (int, float)) or not 0 < momentum < 1:
        return rate
    return rate / (1 - momentum)


#: Whole numbers from here on are no floating-point numbers.
_ENDLESS: Final = 2**1000


def _rate(item: LibraryCall) -> float | None:
    """The rate as it is written; ``None`` if there is none, or it is no number."""
    for name in _NAMES:
        value = item.bound.get(name, item.unbound.get(name))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value) if abs(value) < _ENDLESS else math.inf if value > 0 else -math.inf
    return None


def _default_rate(item: LibraryCall) -> float | None:
    """The rate that a setting has where nobody gives another one: of a command line, a data class or a parameter."""
    for name in _NAMES:
        value = item.bound.get(name, item.unbound.get(name))
        number = unwrap(value) if isinstance(value, Assumed) else None
        if isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) < _ENDLESS:
            return float(number)
    return None


def _argument(item: LibraryCall) -> cst.CSTNode | None:
    return next((item.nodes[name] for name in _NAMES if name in item.nodes), None)


def _is_scheduled(item: LibraryCall, rate: float, context: Context) -> bool:
    """Whether anything may set the rate later, or the model is given to code that does. A rate that nothing trains with is too
    high for a schedule that begins with it, too."""
    documents = {id(frame.document): frame.document for frame in item.site.stack() if frame.document is not None}
    texts = [document.text for document in (*documents.values(), context.document)]
    absurd = _reached(item, rate) >= _BANDS[item.name.rpartition(".")[2]].most
    if absurd:
        falls = any(map(_FALLING.search, texts))
        return any(map(_BEGINS.search, texts)) or (not falls and any(map(_SCHEDULERS.search, texts)))
    return any(map(_SCHEDULED.search, texts)) or (rate == 0 and any(map(_SETS.search, texts)))


def _has_hidden_layers(item: LibraryCall, context: Context) -> bool:
    """Whether what is trained is a module or model with two layers with weights or more."""
    if item.name.startswith(_HOMES[0]):
        modules = [unwrap(call.bound.get("self")) for call in _sources(item, context)]
        layers = (part for module in modules for part in tree(module))
    else:
        compiled = [event for event in context.facts.events(Compile) if event.optimizer is item.result]
        outputs = [out for event in compiled for out in sequence(event.model.state.get("outputs"))]
        tensors = [out for out in outputs if isinstance(out, TensorVal)]
        layers = (op.layer for op in context.facts.ancestors(*tensors) if op.layer is not None)
    weighted = {
        id(layer) for layer in layers if isinstance(layer, InstanceVal) and layer.layer is not None and has_weights(layer)
    }
    return len(weighted) > 1


def _sources(item: LibraryCall, context: Context) -> list[LibraryCall]:
    """The calls of ``parameters()`` whose result an optimizer is given."""
    given = unwrap(item.bound.get("params"))
    return [call for call in context.facts.events(LibraryCall) if call.result is given and "self" in call.bound]

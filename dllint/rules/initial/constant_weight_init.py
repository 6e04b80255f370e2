"""DLI101: the weights of a hidden layer all start with one value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import libcst as cst

from dllint.analysis.equal_units import equal_units
from dllint.analysis.facts import Facts
from dllint.analysis.initial_values import constant_initializer, constant_weights
from dllint.analysis.output_kind import AFFINE, is_parameter
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import remove_argument
from dllint.ir import events
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation
from dllint.source.walk import small_statements


class ConstantWeightInit(Rule[Program]):
    """The weights of a hidden layer all start with the same value.

    ## What it finds
    A dense or convolution layer whose `kernel_initializer` gives zeros, ones or another constant, and a matrix product or
    convolution with a variable that starts as zeros, ones or a constant, if another layer with weights follows. The last layer
    counts if the layers before it start with constants, too. In PyTorch, a hidden layer that is trained and whose weights and
    biases are filled with one number (`nn.init.constant_`, `zeros_`, `fill_`), if the layer after it is, too.

    ## Why it is bad
    All units of the layer compute the same. If the layer after it starts with a constant, too, they get the same gradient and
    stay equal: the layer acts like one unit. A rectifier after a layer of zeros passes no gradient at all. Where other weights
    follow, the units part with the first step: that is told as information.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential(
        [
            Input((8,)),
            Dense(32, activation="relu", kernel_initializer="zeros"),  # error: [DLI101]
            Dense(3, activation="softmax"),
        ]
    )
    ```

    ```python
    import torch
    from torch import nn

    hidden, last = nn.Linear(8, 32, bias=False), nn.Linear(32, 3)
    for layer in (hidden, last):
        nn.init.constant_(layer.weight, 0.1)  # error: [DLI101]
    optimizer = torch.optim.SGD([*hidden.parameters(), *last.parameters()], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        scores = last(torch.tanh(hidden(torch.randn(4, 8))))
        nn.functional.cross_entropy(scores, torch.randint(0, 3, (4,))).backward()
        optimizer.step()
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(32, activation="relu"), Dense(3, activation="softmax")])
    ```

    ## When it stays silent
    Biases, models of one layer, weights that are loaded later, a last layer of zeros behind layers that start at random, and a
    function that takes the initializer and is called with others, too. In PyTorch, layers that dropout or random biases tell
    apart, whose output is added to another one, and that random weights follow.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    logistic = Sequential([Input((8,)), Dense(1, activation="sigmoid", kernel_initializer="zeros")])
    network = Sequential(
        [Input((8,)), Dense(32, activation="relu", bias_initializer="zeros"), Dense(1, kernel_initializer="zeros")]
    )
    ```

    ## References
    - Nikanjam et al., NeuraLint: weights initialised with a constant.
    - Humbatova et al., ICSE 2020: wrong weights initialisation.
    """

    code = "DLI101"
    name = "constant-weight-init"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras", "tensorflow", "torch")
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """Every affine operation of a program, once per place where its initial values are written."""
        if loads_weights(context.facts):
            return
        yield from self._of_torch(context)
        affine = [op for op in context.facts.ops if is_affine(op)]
        found = [(op, start) for op in affine if (start := initial_value(op, context.facts)) is not None]
        # A function that is given its initializer builds other layers at the same place: the constant is a trial of one caller.
        seen = {place(op) for op in affine if initial_value(op, context.facts) is None}
        for op, start in found:
            node, key = argument_of(op), place(op)
            if key not in seen and not has_one_unit(op) and acts_like_one_unit(op, found, item, context.facts):
                seen.add(key)
                yield self._report(op, start, node, context, stays_equal(op, start, found, item, context.facts))

    def _of_torch(self, context: Context) -> Iterator[Finding]:
        """The layers of torch whose units stay equal, once per place that fills the weights."""
        seen = set[int]()
        for found in equal_units(context.facts):
            if id(found.draw.call.site.node) not in seen:
                seen.add(id(found.draw.call.site.node))
                used = context.related(found.op, "the layer is used here")
                yield context.finding(
                    self,
                    found.draw.call,
                    f"all weights of {operation(found.op, context)} start with {found.value:g},"
                    " so its units stay equal and act like one",
                    advice="keep the weights of the layer, which are random, or use `nn.init.kaiming_uniform_`",
                    related=[used] if used else [],
                )

    def _report(self, op: Op, start: str, node: Any, context: Context, stays: bool) -> Finding:
        effect = "stay equal and act like one" if stays else "are equal until the layer after it tells them apart"
        message = f"all weights of {operation(op, context)} start with {start}, so its units {effect}"
        advice = "use a random initializer (glorot_uniform, he_normal)"
        made = written_at(op)
        built = op.layer.site if op.layer is not None and node is not None else made
        site = built or op.site
        used = context.related(op, "the weights are used here") if made is not None else None
        fixes = []
        if node is not None and isinstance(site.node, cst.Call) and node in site.node.args:
            edits = remove_argument(site, site.node, node)
            fixes = offer(context, "Use the default initializer", edits, Applicability.UNSAFE)
        note = context.condition_note(op)
        severity = None if stays else Severity.INFO
        result: Finding = context.finding(
            self, site, message + note, advice=advice, node=node, fixes=fixes, severity=severity, related=[used] if used else []
        )
        return result


#: Methods that give weights other values than their initial ones.
_LOADING = ("load_weights", "set_weights", "restore", "load_state_dict", "assign")


def loads_weights(facts: Facts) -> bool:
    """Whether the program gives weights their values later."""
    return any(event.name.endswith(_LOADING) for event in facts.events(events.LibraryCall))


def is_affine(op: Op) -> bool:
    """Whether an operation has weights that mix features: a layer, or a product with a variable."""
    if op.framework == "torch":
        return False
    return any(map(is_parameter, op.inputs)) if does(op, Trait.MATRIX_PRODUCT) else op.layer is not None and op.kind in AFFINE


def initial_value(op: Op, facts: Facts) -> str | None:
    """What the weights start with, in words, if it is one value for all of them."""
    if op.layer is not None:
        return constant_initializer(op.layer, facts)
    weights = weights_of(op)
    return constant_weights(weights) if weights is not None else None


def weights_of(op: Op) -> TensorVal | None:
    """The variable that an operation without a layer takes."""
    return next((v for v in op.inputs if v.producer is not None and does(v.producer, Trait.VARIABLE)), None)


def argument_of(op: Op) -> Any:
    """The argument that sets the initial values of a layer."""
    config = op.layer.layer if op.layer is not None else None
    return config.nodes.get("kernel_initializer") if config is not None else None


def written_at(op: Op) -> Site | None:
    """Where the variable is made that an operation takes as weights: of a function that only gives it back, the call."""
    weights = weights_of(op) if op.layer is None else None
    made = weights.producer if weights is not None else None
    if made is None:
        return None
    sites = made.site.stack()
    own = next((site for site in sites if not _is_returned(site)), sites[-1])
    return own if isinstance(own.node, cst.Call) else None


def _is_returned(site: Site) -> bool:
    parts = small_statements(site.statement)
    return any(isinstance(part, cst.Return) and part.value is site.node for part in parts)


def place(op: Op) -> int:
    """The identity of the node that the initial values of a layer are written at."""
    node, made = argument_of(op), written_at(op)
    return id(node if node is not None else (made or op.site).node)


def has_one_unit(op: Op) -> bool:
    """Whether a layer has a single unit, which has nothing to be equal to."""
    config = op.layer.layer if op.layer is not None else None
    return config is not None and 1 in (config.args.get("out_features"), config.args.get("out_channels"))


def acts_like_one_unit(op: Op, found: list[tuple[Op, str]], program: Program, facts: Facts) -> bool:
    """Whether another layer follows, or one before starts with a constant, too; one output unit has nothing to be equal to."""
    later = program.ops[program.ops.index(op) + 1 :]
    if any(is_affine(other) and depends(other, op, facts) for other in later):
        return True
    return any(depends(op, other, facts) for other, _ in found if other is not op)


def stays_equal(op: Op, start: str, found: list[tuple[Op, str]], program: Program, facts: Facts) -> bool:
    """Whether training leaves the units of a layer equal: the layer after it, or the one before, starts with a constant, too,
    or a rectifier of zeros passes no gradient. Other weights after it give each unit a gradient of its own."""
    if start == "0" and is_rectified(op, facts):
        return True
    later = program.ops[program.ops.index(op) + 1 :]
    following = next((other for other in later if is_affine(other) and depends(other, op, facts)), None)
    constant = [other for other, _ in found if other is not op]
    if following is not None:
        return any(other is following for other in constant)
    return any(depends(op, other, facts) for other in constant)


def is_rectified(op: Op, facts: Facts) -> bool:
    """Whether a rectifier takes the output of a layer, a bias that is added to it included."""
    users = list(facts.users(op.output))
    users += [user for first in users if does(first, Trait.ADDS) for user in facts.users(first.output)]
    return any(does(user, Trait.RECTIFIES) for user in users)


def depends(op: Op, earlier: Op, facts: Facts) -> bool:
    """Whether an operation's data comes from another operation."""
    data = [v for v in op.inputs if isinstance(v, TensorVal) and not is_parameter(v)]
    return any(ancestor is earlier for ancestor in facts.ancestors(*data))

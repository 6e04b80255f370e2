"""DLS201: two affine layers in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar, Final

from dllint.analysis.affine_pairs import AffinePair, affine_pairs
from dllint.analysis.facts import Facts
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import wrap
from dllint.fixes.imports import name_for
from dllint.fixes.operations import constructor, insert_member, set_option
from dllint.ir.program import Op, Program
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, distinguished


class MissingNonlinearity(Rule[Program]):
    """Two affine layers follow each other without a nonlinearity.

    ## What it finds
    `Linear` after `Linear`, `Dense` after `Dense` or a convolution after a convolution with nothing that bends between
    them (dropout, batch normalisation, flattening and average pooling do not), where the layer between is not a bottleneck.
    A row of such layers is told once.

    ## Why it is bad
    The product of two affine maps is one affine map: the second layer adds parameters but no expressive power. Of convolutions,
    of layers with fewer than 32 features between them, and where the activation is named as linear, it is told as information
    only: there it is often meant, or does little harm.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential()
    model.add(Input((8,)))
    model.add(Dense(64))  # error: [DLS201]
    model.add(Dense(32, activation="relu"))
    model.add(Dense(1, activation="sigmoid"))
    model.compile("adam", loss="binary_crossentropy")
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential()
    model.add(Input((8,)))
    model.add(Dense(64, activation="relu"))
    model.add(Dense(32, activation="relu"))
    model.add(Dense(1, activation="sigmoid"))
    model.compile("adam", loss="binary_crossentropy")
    ```

    ## When it stays silent
    Low-rank factorisation, depthwise followed by pointwise convolution, attention projections, residual branches, a layer
    whose results are also used without the next one (a generator before its critic), and programs without any nonlinearity,
    other than those that compile or train a model which is no linear autoencoder.
    ```python
    import torch
    from torch import nn

    low_rank = nn.Sequential(nn.Linear(512, 16), nn.Linear(16, 512))
    separable = nn.Sequential(nn.Conv2d(32, 32, 3, groups=32), nn.Conv2d(32, 64, 1))
    y = low_rank(torch.randn(4, 512)), separable(torch.randn(4, 32, 8, 8))
    ```

    ## References
    - Nikanjam et al., NeuraLint: missing non-linearity; Schoop et al., UMLAUT.
    """

    code = "DLS201"
    name = "missing-nonlinearity"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """One finding for each row of layers, at the first one behind which an activation looks forgotten."""
        pairs: dict[tuple[int, int], AffinePair] = {}
        for pair in affine_pairs(item, context.facts):
            if not is_shortcut(pair, context.facts):
                pairs.setdefault((id(pair.first.layer), id(pair.second.layer)), pair)
        for row in rows(list(pairs.values())):
            shown = next((pair for pair in row if looks_forgotten(pair)), None)
            related = [place for pair in row for place in built(pair.second, context)]
            edits = [activated(pair, context) for pair in row]
            fixes = offer(context, "Add a relu", [*chain(*edits)] if all(edits) else (), Applicability.UNSAFE)
            advice = "add an activation such as relu after the first" if len(row) == 1 else "add activations between them"
            severity = self.severity if shown is not None else Severity.INFO
            place = (shown or row[0]).first
            yield context.finding(
                self, place, sentence(row, context), advice=advice, severity=severity, related=related, fixes=fixes
            )


def rows(pairs: Sequence[AffinePair]) -> Iterator[list[AffinePair]]:
    """The pairs, each behind the one whose second layer is its first: what is one affine map is reported once. A pair in a
    circle of shared layers, or beside another one that goes on from the same layer, begins a row of its own."""
    following = {id(pair.first.layer): pair for pair in pairs}
    behind = {id(pair.second.layer) for pair in pairs}
    beginnings = [pair for pair in pairs if id(pair.first.layer) not in behind]
    placed: set[int] = set()
    for pair in (*beginnings, *pairs):
        if id(pair) in placed:
            continue
        row = [pair]
        placed.add(id(pair))
        while (after := following.get(id(row[-1].second.layer))) is not None and id(after) not in placed:
            placed.add(id(after))
            row.append(after)
        yield row


#: Layers between others that are narrower waste little when they are linear, and stand in examples and small regressions.
_WIDE: Final = 32


def looks_forgotten(pair: AffinePair) -> bool:
    """Whether an activation was left out by mistake: of a wide dense layer that does not name one. Convolutions follow each
    other by design (stems, factorised windows, heads that predict flow), and gain the size of their windows."""
    return does(pair.first, Trait.DENSE) and pair.sizes[1] >= _WIDE and not names_activation(pair.first)


def names_activation(op: Op) -> bool:
    """Whether the constructor of a layer is given its activation: a linear one is meant."""
    config = op.layer.layer if op.layer is not None else None
    return config is not None and "activation" in config.nodes


#: Layers of Keras whose second positional argument is the activation.
_ACTIVATION_SECOND = frozenset({"Dense"})


@builder
def activated(pair: AffinePair, context: Context) -> tuple[Edit, ...]:
    """A relu behind the first layer: its ``activation`` in Keras, a member of its container or a call in PyTorch."""
    first = pair.first
    if first.framework == "keras":
        return set_option(first.layer, "activation", '"relu"', 1 if class_name(first.layer) in _ACTIVATION_SECOND else None)
    if called_directly(first, context):
        name, imports = name_for(first.site.document, "torch.relu")
        return (*wrap(first.site, first.site.node, name), *imports)
    found = constructor(first.layer)
    name, imports = name_for(found[0].document, "torch.nn.ReLU") if found is not None else ("", ())
    edits = insert_member(first.layer, pair.second.layer, f"{name}()")
    return (*edits, *imports) if edits else ()


def is_shortcut(pair: AffinePair, facts: Facts) -> bool:
    """Whether the pair stands in an arm only: elsewhere there may be something between the layers, as in attention, or the
    result of the first is an output, as the embedding before a head that is for training."""
    if any(not facts.takers(other) and is_built_alike(other, pair.first) for other in facts.performances(pair.first)):
        return True
    return any(condition.default is not True or condition not in pair.first.path for condition in pair.second.path)


def is_built_alike(one: Op, other: Op) -> bool:
    """Whether the layers of two operations are built by the same code."""
    sites = [op.layer.site if op.layer is not None else None for op in (one, other)]
    return all(site is not None for site in sites) and len({id(site.node) for site in sites if site is not None}) == 1


#: So many layers are named each.
_MOST_NAMED: Final = 3


def sentence(row: Sequence[AffinePair], context: Context) -> str:
    """The layers of a row, and what they are together."""
    before, after = row[0].sizes[0], row[-1].sizes[2]
    features = f"{after} feature{'' if after == 1 else 's'}"
    span = f"of {before} to {features}" if before is not None else f"to {features}"
    ops = [row[0].first, *(pair.second for pair in row)]
    if len(ops) > _MOST_NAMED:
        first, last = distinguished([ops[0], ops[-1]], context)
        return f"no nonlinearity between the {len(ops)} layers from {first} to {last}: they are one affine map {span}"
    *names, last = distinguished(ops, context)
    return f"no nonlinearity between {', '.join(names)} and {last}: they are one affine map {span}"

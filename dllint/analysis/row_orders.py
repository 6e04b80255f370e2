"""In which random orders the rows of data stand: which calls have shuffled what a value was computed from.

A call shuffles in place (``numpy.random.shuffle(x)``), gives its rows in another order (``sklearn.utils.shuffle(x)``), or gives
the numbers of rows that others are taken by (``x[torch.randperm(len(x))]``). Calls whose numbers may be the same, since one
seed was set before each, are not told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import libcst as cst

from dllint.analysis.data_parts import DataParts, keys
from dllint.analysis.facts import Facts
from dllint.analysis.name_words import words
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import ListVal, Value
from dllint.ops.kinds import having_any
from dllint.ops.traits import Trait

#: What shuffles the rows of its first argument in place.
_IN_PLACE: Final = frozenset(
    {"random.shuffle", "random.Random.shuffle", *(f"numpy.random.{kind}shuffle" for kind in ("", "Generator.", "RandomState."))}
)
#: What gives rows, or the numbers of rows, in a random order.
_GIVEN: Final = frozenset(
    {
        "sklearn.utils.shuffle",
        "torch.randperm",
        "pandas.DataFrame.sample",
        "pandas.Series.sample",
        *(f"numpy.random.{kind}permutation" for kind in ("", "Generator.", "RandomState.")),
    }
)
#: Methods of what is shuffled, not of a generator.
_METHODS_OF_DATA: Final = "pandas."
#: Parameters that decide about the order.
_SEEDS: Final = ("random_state", "seed", "generator", "random")
#: How the names of calls end that set the state of a generator.
_SEEDING: Final = ("seed", "set_state", "setstate", "set_seed", "set_random_seed", "seed_everything")
#: What takes rows of features and their labels, or data that belong together row by row.
_PAIRING: Final = frozenset(
    {
        "torch.utils.data.TensorDataset",
        "tensorflow.data.Dataset.from_tensor_slices",
        "sklearn.model_selection.train_test_split",
    }
)
_LOSSES: Final = having_any(Trait.CLASS_LOSS | Trait.BINARY_LOSS)
#: Words of names where one side is shuffled to see what is left without it.
_ON_PURPOSE: Final = re.compile(r"permut|baseline|chance|importance|null|control|random_label|mismatch|negative", re.I)
#: Words of names of labels, in code and of files.
_LABELS: Final = frozenset(
    {"y", "ys", "label", "labels", "lbl", "lbls", "target", "targets", "class", "classes", "gt", "truth", "answer", "answers"}
)
#: What makes a copy of data: the data themselves stay in their order.
_COPIES: Final = re.compile(r"copy$|clone$|\.(?:as)?array$|^list$|\.list$|\.tensor$|identity$")
_FITS: Final = (".fit", ".fit_transform", ".fit_predict", ".score", ".partial_fit")
_LEARNERS: Final = ("sklearn.", "keras.", "tf_keras.", "xgboost.", "lightgbm.")


class Unpaired(NamedTuple):
    """Data that belong together row by row, and the calls that give each a random order of its own."""

    first: LibraryCall
    second: LibraryCall
    used: LibraryCall | Op


class _Use(NamedTuple):
    """Two values that are used in pairs of rows, where, and the number of calls that were made before."""

    values: list[Value]
    used: LibraryCall | Op
    number: int


@dataclass(slots=True)
class RowOrders:
    """The random orders of the values of one program."""

    facts: Facts
    _calls: list[LibraryCall] = field(default_factory=list)
    _turns: dict[int, int] = field(default_factory=dict)
    _in_place: list[tuple[LibraryCall, frozenset[object]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._calls = list(self.facts.events(LibraryCall))
        self._turns = {id(call): turn for turn, call in enumerate(self._calls)}
        self._in_place = [(call, keys(call.given[0])) for call in self._calls if call.name in _IN_PLACE and call.given]

    def one_sided(self) -> Iterator[Unpaired]:
        """What is used in pairs of rows although a call has shuffled one of the two in place, and nothing the other, which was
        loaded and does not follow from the shuffled one; the two have come from one load, or are samples and labels by their
        names. Labels shuffled for comparison, as names say, are left out, and so are copies, beside which the data stay."""
        if not self._in_place:
            return
        flow = DataParts(self.facts)
        for used in filter(_pairs_rows, self._calls):
            given = _data(used)[:2]
            if len(given) < 2 or _ON_PURPOSE.search(_words_around(used)):
                continue
            orders = [set(self._orders(value, self._turns[id(used)], flow)) for value in given]
            shuffled, other = (0, 1) if orders[0] else (1, 0)
            if orders[other] or len(orders[shuffled]) != 1 or not flow.is_stored(given[other]):
                continue
            call = self._calls[self._turns[orders[shuffled].pop()]]
            happens = call.name in _IN_PLACE and set(call.path) <= set(used.path)
            if not happens or _ON_PURPOSE.search(_words_around(call)):
                continue
            if _is_stored_itself(call.given[0], flow) and _belong_together(given, used, flow):
                yield Unpaired(call, call, used)

    def unpaired(self) -> Iterator[Unpaired]:
        """What is used in pairs of rows although two calls have shuffled the two."""
        if sum(call.name in _IN_PLACE or call.name in _GIVEN for call in self._calls) < 2:
            return
        flow = DataParts(self.facts)
        for values, used, turn in self._uses():
            orders = [set(self._orders(value, turn, flow)) for value in values]
            if len(orders) < 2 or orders[0] & orders[1]:
                continue
            first, second = (min((self._turns[number] for number in found), default=None) for found in orders)
            if first is None or second is None:
                continue
            before, after = sorted((first, second))
            if self._are_independent(before, after):
                yield Unpaired(self._calls[before], self._calls[after], used)

    def _uses(self) -> Iterator[_Use]:
        """What is used in pairs of rows: by calls that take rows of both, and by losses of classes, which compare what was
        computed of samples with their labels."""
        turn = 0
        for item in self.facts.program.trace:
            if isinstance(item, LibraryCall):
                if _pairs_rows(item):
                    yield _Use(_data(item)[:2], item, turn)
                turn += 1
            elif isinstance(item, Op) and item.kind in _LOSSES and not _ON_PURPOSE.search(_code(item.site.node)):
                yield _Use([item.args.get("x"), item.args.get("target")], item, turn)

    def _orders(self, value: Value, turn: int, flow: DataParts) -> Iterator[int]:
        """The calls before a use, by identity, that have shuffled what a value was computed from."""
        for call, shuffled in self._in_place:
            if self._turns[id(call)] < turn and flow.comes_from(value, shuffled):
                yield id(call)
        yield from (id(call) for call in flow.makers(value) if call.name in _GIVEN)

    def _are_independent(self, before: int, after: int) -> bool:
        """Whether two calls draw different numbers: nothing sets a seed for either, and both are made in every run."""
        first, second = self._calls[before], self._calls[after]
        if any(
            call.bound.get(name) is not None or call.unbound.get(name) is not None
            for call in (first, second)
            for name in _SEEDS
        ):
            return False
        between = self._calls[before + 1 : after]
        is_seeded = any(call.name.rpartition(".")[2] in _SEEDING for call in between)
        is_one_generator = first.name.startswith(_METHODS_OF_DATA) or first.receiver is second.receiver
        return is_one_generator and first.path == second.path and not is_seeded


def _words_around(call: LibraryCall) -> str:
    """The function that a call stands in, and its own text."""
    return f"{call.scope} {_code(call.site.node)}"


def _is_stored_itself(value: Value, flow: DataParts) -> bool:
    """Whether what is shuffled was loaded, and the last step that has made it did not copy other data."""
    maker = value.producer if isinstance(value, TensorVal) else None
    made_by = [maker.kind, maker.spelled] if maker is not None else []
    made_by += [call.name for call in islice(flow.makers(value), 1)]
    return flow.is_stored(value) and not any(map(_COPIES.search, made_by))


def _belong_together(given: Sequence[Value], used: LibraryCall, flow: DataParts) -> bool:
    """Whether rows are those of samples and their labels: of one load, but not of one part of it, or by their names."""
    one, other = ({(part.split, part.number) for part in flow.of(value)} for value in given)
    if one & other:
        return False
    loads = [list(flow.loads(value)) for value in given]
    if {id(load) for load in loads[0]} & {id(load) for load in loads[1]}:
        return True
    nodes = _nodes(used)
    texts = [[node, *(load.site.node for load in found)] for node, found in zip(nodes, loads, strict=False)]
    said = [any(words(_code(node)) & _LABELS for node in of_one) for of_one in texts]
    return len(said) == 2 and said[0] is not said[1]


def _nodes(call: LibraryCall) -> list[cst.CSTNode]:
    """The expressions of what a call takes as rows that belong together."""
    node = call.site.node
    values: list[cst.CSTNode] = [arg.value for arg in node.args] if isinstance(node, cst.Call) else []
    if len(values) == 1 and isinstance(values[0], (cst.Tuple, cst.List)):
        values = [element.value for element in values[0].elements]
    return values[:2]


def _code(node: object) -> str:
    return cst.Module([]).code_for_node(node) if isinstance(node, cst.CSTNode) else ""


def _pairs_rows(call: LibraryCall) -> bool:
    return call.name in _PAIRING or (call.name.endswith(_FITS) and call.name.startswith(_LEARNERS))


def _data(call: LibraryCall) -> list[Value]:
    """What a call takes as rows that belong together."""
    given = list(call.given)
    if len(given) == 1 and isinstance(given[0], (tuple, ListVal)):
        return list(given[0].items if isinstance(given[0], ListVal) else given[0])
    return given

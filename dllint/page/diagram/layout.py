"""Where the boxes of a diagram are, and the ways of its arrows: layers from the top to the bottom, holder by holder.

Boxes of one holder are put into ranks by their longest way from a source; arrows over several ranks get places of their own in
the ranks between. The order in a rank is that of the mean places of neighbours (barycentres, Sugiyama et al. 1981), the final
places are the nearest to these that keep the order and the gaps: the pool-adjacent-violators algorithm of isotonic regression.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dllint.page.diagram.boxes import ENTRY, EXIT, Arrow, Box

#: Pixels: a character of a title and of a line below it, the height of a line, gaps.
_TITLE: Final = 7.6
_CHARACTER: Final = 7.1
LINE: Final = 15.0
PADDING: Final = 10.0
_BESIDE: Final = 26.0
_BELOW: Final = 38.0
_TOGGLE: Final = 22.0
_WIDTH_OF_WAY: Final = 14.0
#: Sweeps over the ranks; places on ways at most, boxes in a row that no arrow reaches.
_SWEEPS: Final = 6
_MOST_ON_WAYS: Final = 20_000
_IN_A_ROW: Final = 4
#: How far along the piece of an arrow its label stands.
_NEAR: Final = 0.4


@dataclass(slots=True)
class Way:
    """The way of an arrow: points that it passes, and whether it leads back up."""

    arrow: Arrow
    points: list[tuple[float, float]]
    is_back: bool = False
    #: Where its label begins; None if another one has the same beside it.
    label: tuple[float, float] | None = None


@dataclass(slots=True)
class Placed:
    """A box with its place in its holder; ``ways`` and ``parts`` are placed in the box."""

    box: Box
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    parts: list[Placed] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)


def layout(box: Box) -> Placed:
    """The places of a box and of all in it."""
    placed = Placed(box)
    titles = [width_of(box.title) * _TITLE + (_TOGGLE if box.parts or box.hidden else 0.0)]
    text = max([*titles, *(width_of(line) * _CHARACTER for line in box.lines)])
    head = PADDING + LINE * (1 + len(box.lines)) + PADDING / 2
    placed.width, placed.height = text + 2 * PADDING, head + PADDING / 2
    if box.parts:
        placed.parts = [layout(part) for part in box.parts]
        width, height = _Holder(box, placed).place(head)
        placed.width, placed.height = max(placed.width, width + 2 * PADDING), head + height + PADDING
        shift = (placed.width - width) / 2
        for part in placed.parts:
            part.x += shift
        for way in placed.ways:
            way.points = [(x + shift, y) for x, y in way.points]
            way.label = (way.label[0] + shift, way.label[1]) if way.label is not None else None
    return placed


def width_of(text: str) -> int:
    """How many characters wide a text is; those of East Asia are two wide, marks on others none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )  # fmt: skip


@dataclass(slots=True)
class _Spot:
    """A place in a rank: of a part, of an end of the holder, or on the way of an arrow."""

    width: float
    height: float
    part: Placed | None = None
    rank: int = 0
    x: float = 0.0
    up: list[_Spot] = field(default_factory=list)
    down: list[_Spot] = field(default_factory=list)


class _Holder:
    """The layout of the parts of one box."""

    def __init__(self, box: Box, placed: Placed) -> None:
        self._placed = placed
        self._spots: dict[str, _Spot] = {}
        ends = {end for arrow in box.arrows for end in (arrow.source, arrow.target)}
        if ENTRY in ends:
            self._spots[ENTRY] = _Spot(1.0, 0.0)
        for part in placed.parts:
            self._spots[part.box.key] = _Spot(part.width, part.height, part)
        if EXIT in ends:
            self._spots[EXIT] = _Spot(1.0, 0.0)
        arrows = [one for one in box.arrows if one.source in self._spots and one.target in self._spots]
        self._back = _leading_back(list(self._spots), arrows)
        self._forth = [arrow for arrow in arrows if id(arrow) not in self._back]
        self._all = arrows

    def place(self, top: float) -> tuple[float, float]:
        """Place all parts below ``top``, from the left edge on; the width and height that they take."""
        self._rank()
        chains = {id(arrow): self._chain(arrow) for arrow in self._forth}
        ranks = self._ranks(chains.values())
        _order(ranks)
        _spread(ranks)
        spots = [spot for rank in ranks for spot in rank]
        left = min(spot.x - spot.width / 2 for spot in spots)
        right = max(spot.x + spot.width / 2 for spot in spots)
        beside = _BESIDE if self._back else 0.0
        tops, bottoms, bottom = self._heights(ranks, top)
        for spot in spots:
            spot.x -= left
            if spot.part is not None:
                spot.part.x, spot.part.y = spot.x - spot.width / 2, tops[spot.rank]
        for arrow in self._all:
            chain = chains.get(id(arrow))
            points = self._forward(chain, tops, bottoms) if chain else self._backward(arrow, right - left)
            self._placed.ways.append(Way(arrow, points, is_back=chain is None))
        return max(right - left + beside, _label(self._placed.ways)), bottom - top

    def _rank(self) -> None:
        """Give each spot its longest way from a source; what no arrow reaches stands below, some in a row."""
        incoming: dict[str, list[str]] = {key: [] for key in self._spots}
        for arrow in self._forth:
            incoming[arrow.target].append(arrow.source)
        done: dict[str, int] = {}
        for key in _topological(list(self._spots), self._forth):
            done[key] = max((done[source] + 1 for source in incoming[key]), default=0)
        touched = {end for arrow in self._all for end in (arrow.source, arrow.target)}
        if EXIT in done:
            done[EXIT] = max(rank for key, rank in done.items() if key in touched)
        last = max((rank for key, rank in done.items() if key in touched), default=-1)
        for number, key in enumerate(key for key in self._spots if key not in touched):
            done[key] = last + 1 + number // _IN_A_ROW
        for key, spot in self._spots.items():
            spot.rank = done[key]

    def _chain(self, arrow: Arrow) -> list[_Spot]:
        """The spots of an arrow: its ends, and one in each rank between."""
        source, target = self._spots[arrow.source], self._spots[arrow.target]
        between = range(source.rank + 1, target.rank)
        is_long = len(between) * len(self._forth) > _MOST_ON_WAYS
        chain = [source, *(_Spot(_WIDTH_OF_WAY, 0.0, rank=rank) for rank in ([] if is_long else between)), target]
        for above, below in pairwise(chain):
            above.down.append(below)
            below.up.append(above)
        return chain

    def _ranks(self, chains: Iterable[list[_Spot]]) -> list[list[_Spot]]:
        ranks: dict[int, list[_Spot]] = {}
        for spot in (*self._spots.values(), *(spot for chain in chains for spot in chain[1:-1])):
            ranks.setdefault(spot.rank, []).append(spot)
        return [ranks[number] for number in sorted(ranks)]

    def _heights(self, ranks: Sequence[Sequence[_Spot]], top: float) -> tuple[dict[int, float], dict[int, float], float]:
        tops: dict[int, float] = {}
        bottoms: dict[int, float] = {}
        y = top
        for rank in ranks:
            number, height = rank[0].rank, max(spot.height for spot in rank)
            tops[number], bottoms[number] = y, y + height
            y += height + (_BELOW if height else _BELOW / 2)
        last = ranks[-1][0].rank
        return tops, bottoms, bottoms[last]

    def _forward(self, chain: list[_Spot], tops: dict[int, float], bottoms: dict[int, float]) -> list[tuple[float, float]]:
        first, last = chain[0], chain[-1]
        points = [(first.x, tops[first.rank] + first.height)]
        for spot in chain[1:-1]:
            points += [(spot.x, tops[spot.rank]), (spot.x, bottoms[spot.rank])]
        is_out = last is self._spots.get(EXIT)
        return [*points, (last.x, tops[last.rank] + (PADDING if is_out else 0.0))]

    def _backward(self, arrow: Arrow, right: float) -> list[tuple[float, float]]:
        """Beside all boxes, from the side of one to the side of another."""
        ends = [self._spots[arrow.source].part, self._spots[arrow.target].part]
        sides = [(part.x + part.width, part.y + part.height / 2) for part in ends if part is not None]
        if len(sides) < len(ends):
            return []
        out = right + _BESIDE / 2
        return [sides[0], (out, sides[0][1]), (out, sides[1][1]), sides[1]]


def _label(ways: Sequence[Way]) -> float:
    """Place the labels of arrows: near the source, of one that several leave near the target, the same one once; how far to
    the right they reach."""
    leaving = Counter(way.arrow.source for way in ways)
    written: set[tuple[str, str]] = set()
    reach = 0.0
    for way in ways:
        arrow, key = way.arrow, (way.arrow.source, way.arrow.label)
        if not way.points or not arrow.label or arrow.source == ENTRY or key in written:
            continue
        written.add(key)
        (x, y), (right, below) = way.points[:2] if leaving[arrow.source] == 1 or way.is_back else way.points[-2:]
        share = _NEAR if leaving[arrow.source] == 1 else 1 - _NEAR
        at = right if way.is_back else x + (right - x) * share
        way.label = (at + PADDING / 2, y + (below - y) * share + PADDING / 2)
        reach = max(reach, way.label[0] + width_of(arrow.label) * _CHARACTER)
    return reach


def _leading_back(keys: Sequence[str], arrows: Sequence[Arrow]) -> set[int]:
    """The ``id`` of the arrows that close a circle, seen from the first key on."""
    following: dict[str, list[Arrow]] = {key: [] for key in keys}
    for arrow in arrows:
        following[arrow.source].append(arrow)
    back: set[int] = set()
    state: dict[str, int] = {}
    for start in keys:
        todo: list[tuple[str, int]] = [(start, 0)] if start not in state else []
        while todo:
            key, number = todo.pop()
            state[key] = 1
            if number == len(following[key]):
                state[key] = 2
                continue
            todo.append((key, number + 1))
            arrow = following[key][number]
            if state.get(arrow.target) == 1:
                back.add(id(arrow))
            elif arrow.target not in state:
                todo.append((arrow.target, 0))
    return back


def _topological(keys: Sequence[str], arrows: Sequence[Arrow]) -> list[str]:
    following: dict[str, list[str]] = {key: [] for key in keys}
    open_: dict[str, int] = dict.fromkeys(keys, 0)
    for arrow in arrows:
        following[arrow.source].append(arrow.target)
        open_[arrow.target] += 1
    ready = [key for key in keys if not open_[key]]
    done: list[str] = []
    while ready:
        key = ready.pop()
        done.append(key)
        for target in following[key]:
            open_[target] -= 1
            if not open_[target]:
                ready.append(target)
    return done


def _order(ranks: Sequence[list[_Spot]]) -> None:
    """Order the spots of each rank by the mean places of their neighbours above and below, in turns."""
    for rank in ranks:
        for number, spot in enumerate(rank):
            spot.x = float(number)
    for sweep in range(_SWEEPS):
        for rank in ranks if sweep % 2 == 0 else reversed(ranks):
            keyed = [(_mean(spot.up if sweep % 2 == 0 else spot.down, spot.x), number) for number, spot in enumerate(rank)]
            rank[:] = [rank[number] for _, number in sorted(keyed)]
            for number, spot in enumerate(rank):
                spot.x = float(number)


def _spread(ranks: Sequence[Sequence[_Spot]]) -> None:
    """Give the spots of each rank places near their neighbours."""
    for rank in ranks:
        _settle(rank, [0.0] * len(rank))
    for sweep in range(_SWEEPS):
        for rank in ranks if sweep % 2 == 0 else reversed(ranks):
            _settle(rank, [_mean((spot.up if sweep % 2 == 0 else spot.down) or spot.up, spot.x) for spot in rank])


def _settle(rank: Sequence[_Spot], wished: Sequence[float]) -> None:
    """The places nearest to the wished ones (in squares) that keep order and gaps."""
    offsets = [0.0]
    for before, spot in pairwise(rank):
        offsets.append(offsets[-1] + (before.width + spot.width) / 2 + _BESIDE)
    pools: list[tuple[float, int]] = []
    for value, offset in zip(wished, offsets, strict=True):
        pools.append((value - offset, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (b, m), (a, n) = pools.pop(), pools.pop()
            pools.append(((a * n + b * m) / (n + m), n + m))
    places = [value for value, size in pools for _ in range(size)]
    for spot, place, offset in zip(rank, places, offsets, strict=True):
        spot.x = place + offset


def _mean(spots: Sequence[_Spot], otherwise: float) -> float:
    return sum(spot.x for spot in spots) / len(spots) if spots else otherwise

"""The graph of a model: its tree of modules as boxes in boxes, with the tensors that go from one to another.

Where a tensor goes follows from the operations of the model's call: each is performed by a module of the tree, or stands in the
method of one. Parts that are deeper than shown are in the box of their holder. Equal blocks in a row are one box
(:mod:`folding`), operations one after the other, which no other one takes from, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dllint.analysis.architecture.flow import Flow, Use
from dllint.analysis.architecture.folding import Node, fold, nodes_of
from dllint.analysis.architecture.marking import Mark, is_innermost
from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.outline import Places
from dllint.analysis.architecture.outlined import Extent
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.wording import construction_text, output_text, parameters_text, summary_text
from dllint.domains.shape import show_type
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.page.diagram.boxes import ENTRY, EXIT, Arrow, Box, Diagram
from dllint.source.neutral import neutral_lines

#: Levels of modules that are shown unless a number is given: as many as these boxes allow, and not more than these levels.
_MOST_BOXES: Final = 60
_MOST_LEVELS: Final = 3
_LONGEST: Final = 70
#: How the operation is called where the arms of a branch meet.
_JOIN: Final = "either"
_INPUT: Final = "input"
_OUTPUT: Final = "output"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to show: ``depth`` levels of modules (None: as many as stay readable), modules that are opened although they are
    deeper, or closed, by the keys of their boxes; ``wrong`` are places in the text with what is wrong there; ``has_lines``:
    boxes bear their lines."""

    depth: int | None = None
    opened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    wrong: Sequence[Mark] = ()
    has_lines: bool = True


def graph(model: Model, tree: Module, places: Places, wish: Wish) -> Diagram:
    """The diagram of a model."""
    flow = Flow.of(model, tree)
    root = nodes_of(tree)
    fold(root, flow)
    drawing = _Drawing(places, wish, flow, _depth(root, flow) if wish.depth is None else wish.depth)
    return Diagram(_plain(tree.kind), _about(tree), drawing.whole(root))


def _about(tree: Module) -> str:
    what = summary_text(tree)
    called = "" if tree.calls else " It is not called: the order of its parts is that in which it holds them."
    return f"Layers of {_plain(tree.kind)}{f': {_plain(what)}' if what else ''}. Arrows are tensors, with their shapes.{called}"


def _depth(root: Node, flow: Flow) -> int:
    """The levels that can be shown so that the graph stays readable."""
    level, shown = [root], 1
    for depth in range(_MOST_LEVELS + 1):
        shown += sum(len(node.parts) + flow.operations_in(node.module) for node in level if node.parts)
        if shown > _MOST_BOXES:
            return max(depth, 1)
        level = [part for node in level for part in node.parts]
    return _MOST_LEVELS


@dataclass(slots=True)
class _Drawing:
    """The boxes that are made so far, by their keys."""

    places: Places
    wish: Wish
    flow: Flow
    depth: int
    root: str = ""
    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: dict[tuple[str, str, str], Arrow] = field(default_factory=dict)
    #: By the path of a module: the keys of the boxes around it and its own, outermost first.
    ways: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: By a key: the key of the box that is shown in its place, if it is folded.
    shown: dict[str, str] = field(default_factory=dict)

    def whole(self, root: Node) -> Box:
        """The box of a model with all in it."""
        box = self._box(root, (), 0)
        self.root = root.module.path if root.module is not None else ""
        for use in self.flow.uses:
            way = self._way(use)
            self._mark(self.boxes[self.shown.get(way[-1], way[-1])], use.op)
        self._ends(box)
        for use in self.flow.uses:
            for tensor in use.op.inputs:
                source = self.flow.source(tensor)
                if isinstance(source, Use):
                    self._connect(self._way(source), self._way(use), tensor)
                elif source is not None:
                    self._connect((box.key, _INPUT), self._way(use), tensor)
        for tensor in self.flow.results:
            source = self.flow.source(tensor)
            if source is not None:
                way = self._way(source) if isinstance(source, Use) else (box.key, _INPUT)
                self._connect(way, (box.key, _OUTPUT), tensor)
        self._chains(root)
        for one in list(box.walk()):
            _drop_joins(one)
            _join_operations(one)
        _note_unreached(box, self.flow)
        return box

    def _is_open(self, key: str, level: int) -> bool:
        return key not in self.wish.closed and (level < self.depth or key in self.wish.opened)

    def _line(self, extent: Extent) -> int | None:
        return self.places.document.position(extent.start).line if self.wish.has_lines else None

    def _ends(self, box: Box) -> None:
        """The boxes for what the model takes and gives."""
        for key, tensors in ((_INPUT, self.flow.given), (_OUTPUT, self.flow.results)):
            if tensors:
                lines = tuple(dict.fromkeys(_plain(show_type(tensor.type)) for tensor in tensors))
                end = Box(key, key, lines[:_MOST_LEVELS], "end")
                box.parts.insert(0 if key == _INPUT else len(box.parts), end)

    def _box(self, node: Node, around: tuple[str, ...], level: int) -> Box:
        key = node.key
        is_open = bool(node.parts) and (not around or self._is_open(key, level))
        box = self.boxes[key] = Box(key, _plain(node.title), tuple(map(_plain, _lines(node))))
        extent = self.places.of(node.module.instance.site) if node.module is not None else None
        if extent is not None:
            box.line = self._line(extent)
            for mark in self.wish.wrong:
                if extent.holds(mark.extent) and level:
                    box.marks.setdefault(_plain(mark.text))
        here = (*around, key)
        if is_open:
            box.marks.clear()
            box.parts = [self._box(part, here, level + 1) for part in node.parts]
            for part in node.parts:
                for number, twin in enumerate(part.twins, 1):
                    self._twin(part, twin, here, f"#{number}")
        else:
            box.hidden = sum(part.times for part in node.parts)
            self._note(node, here)
        if node.module is not None:
            self.ways[node.module.path] = here
        return box

    def _note(self, node: Node, way: tuple[str, ...]) -> None:
        """What a closed box holds is in it."""
        for module in node.modules():
            self.ways[module.path] = way

    def _twin(self, first: Node, twin: Node, around: tuple[str, ...], mark: str) -> None:
        """What a folded block holds is shown in the first one's boxes."""
        key = twin.key + mark
        self.shown[key] = self.shown.get(first.key, first.key)
        way = (*around, key)
        if not self.boxes[self.shown[key]].parts:
            self._note(twin, way)
            return
        for part, other in zip(first.parts, twin.parts, strict=False):
            self._twin(part, other, way, mark)
            for number, another in enumerate(part.twins, 1):
                self._twin(part, another, way, f"{mark}#{number}")
        if twin.module is not None:
            self.ways[twin.module.path] = way

    def _way(self, use: Use) -> tuple[str, ...]:
        """The keys of the boxes around an operation and that of its own: the module's that performs it, if that has no parts
        that are shown."""
        way = self.ways.get(use.module.path) or self.ways[self.root]
        holder = self.boxes[self.shown.get(way[-1], way[-1])]
        if not holder.parts:
            return way
        key = f"o:{use.number}:{self.shown.get(way[-1], way[-1])}"
        if key not in self.boxes:
            box = self.boxes[key] = Box(key, _named(use.op), kind="operation")
            extent = self.places.of(use.op.site)
            box.line = self._line(extent) if extent is not None else None
            holder.parts.append(box)
        return (*way, key)

    def _mark(self, box: Box, op: Op) -> None:
        """Note on a box what is wrong at an operation in it."""
        extent = self.places.of(op.site) if self.wish.wrong else None
        for mark in self.wish.wrong:
            if extent is not None and extent.holds(mark.extent) and is_innermost(extent, op, self.places):
                box.marks.setdefault(_plain(mark.text))

    def _connect(self, source: tuple[str, ...], target: tuple[str, ...], tensor: TensorVal) -> None:
        """Add the arrows of a tensor: out of the boxes around its source, into those around its target."""
        common = 0
        while common < min(len(source), len(target)) - 1 and source[common] == target[common]:
            common += 1
        for holder, inner in zip(reversed(source[common:-1]), reversed(source[common + 1 :]), strict=True):
            self._arrow(holder, inner, EXIT, "")
        label = _plain(show_type(tensor.type))
        self._arrow(source[common - 1] if common else "", source[common], target[common], label)
        for holder, inner in zip(target[common:-1], target[common + 1 :], strict=True):
            self._arrow(holder, ENTRY, inner, "")

    def _arrow(self, holder: str, source: str, target: str, label: str) -> None:
        holder, source, target = (self.shown.get(key, key) for key in (holder, source, target))
        if source == target or holder not in self.boxes:
            return
        arrow = self.arrows.get((holder, source, target))
        if arrow is None:
            arrow = self.arrows[holder, source, target] = Arrow(source, target)
            self.boxes[holder].arrows.append(arrow)
        if label:
            arrow.labels.setdefault(label)

    def _chains(self, root: Node) -> None:
        """A stack that is not called has its parts one after the other all the same."""
        todo = [root]
        while todo:
            node = todo.pop()
            todo += node.parts
            box = self.boxes.get(node.key)
            if box is not None and box.parts and not box.arrows and node.is_chain and not self.flow.uses:
                for before, after in pairwise(node.parts):
                    box.arrows.append(Arrow(before.key, after.key))


def _named(op: Op) -> str:
    """An operation by the name that the source has for it."""
    return _JOIN if op.kind == JOIN else _plain(op.spelled.rpartition(".")[2])


def _lines(node: Node) -> Iterator[str]:
    """What stands below the title of a box: with what it is built, its parameters."""
    if node.module is None:
        return
    construction = construction_text(node.module.instance)
    if construction:
        yield construction
    parameters = parameters_text(node.module.weights)
    each = " each" if node.times > 1 and parameters else ""
    if parameters:
        yield f"{parameters}{each}"
    if len(node.module.calls) > 1:
        yield f"called {len(node.module.calls)} times"
    if node.parts and output_text(node.module):
        yield f"out {output_text(node.module)}"


def _drop_joins(holder: Box) -> None:
    """Leave out where the arms of a branch meet if nothing takes what comes of it."""
    while True:
        sources = {arrow.source for arrow in holder.arrows}
        idle = {part.key for part in holder.parts if part.title == _JOIN and part.key not in sources}
        if not idle:
            return
        holder.parts = [part for part in holder.parts if part.key not in idle]
        holder.arrows = [arrow for arrow in holder.arrows if arrow.target not in idle]


def _join_operations(holder: Box) -> None:
    """Make one box of operations one after the other."""
    following: dict[str, list[Arrow]] = {}
    before: dict[str, list[Arrow]] = {}
    for arrow in holder.arrows:
        following.setdefault(arrow.source, []).append(arrow)
        before.setdefault(arrow.target, []).append(arrow)
    by_key = {part.key: part for part in holder.parts}
    for part in list(holder.parts):
        if part.kind != "operation" or part.key not in by_key:
            continue
        while len(following.get(part.key, ())) == 1:
            (arrow,) = following[part.key]
            after = by_key.get(arrow.target)
            if (
                after is None
                or after is part
                or after.kind != "operation"
                or len(before[after.key]) > 1
                or after.marks != part.marks
            ):
                break
            part.title = _shorter(f"{part.title} → {after.title}")
            holder.arrows.remove(arrow)
            for one in following.pop(after.key, []):
                one.source = part.key
                following.setdefault(part.key, []).append(one)
            following[part.key].remove(arrow)
            del by_key[after.key]
            holder.parts.remove(after)


def _shorter(title: str) -> str:
    """A title with its middle left out, if it is long."""
    words = title.split(" → ")
    return " → ".join([words[0], "…", words[-1]]) if len(words) > _MOST_LEVELS + 1 else title


def _note_unreached(box: Box, flow: Flow) -> None:
    """Boxes of a model that is called, which no tensor reaches: their calls were not found."""
    if not flow.uses:
        return
    for holder in box.walk():
        ends = {end for arrow in holder.arrows for end in (arrow.source, arrow.target)}
        for part in holder.parts:
            if part.key not in ends and not part.parts and part.kind == "module":
                part.faint = True
                part.lines = (*part.lines, "no call was found")


def _plain(text: str) -> str:
    """A text on one line of bounded length, without characters that control anything."""
    line = " ".join(neutral_lines(text).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

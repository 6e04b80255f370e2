"""Equal blocks in a row as one: of a deep model, what is repeated is shown once, with how often it is there.

Blocks are folded if they are built alike, give the same, and each takes what the one before gives, so that nothing else takes
from those in between. The analysis calls the first of such blocks (``lower/repeats.py``); then nothing says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.analysis.architecture.flow import Flow, Use
from dllint.analysis.architecture.shapes import outputs_of
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.wording import construction_text
from dllint.domains.dim import show
from dllint.source.neutral import neutral

#: So many blocks in a row may be what is repeated; so many layers without parts are folded.
_LONGEST_PERIOD: Final = 8
_FEWEST_LAYERS: Final = 3
_FEWEST: Final = 2


@dataclass(slots=True, eq=False)
class Node:
    """A module, or several in a row that are repeated (``module`` is None). ``twins`` are folded into it."""

    key: str
    module: Module | None
    parts: list[Node] = field(default_factory=list)
    twins: list[Node] = field(default_factory=list)
    signature: tuple[object, ...] = ()

    @property
    def times(self) -> int:
        """How often it is there."""
        return 1 + len(self.twins)

    @property
    def title(self) -> str:
        """The name and class of a module, and how often it is there."""
        if self.module is None:
            text = " – ".join((self.parts[0].title, self.parts[-1].title))
        else:
            text = f"{self.module.name}: {self.module.kind}" if self.module.name else self.module.kind
        return f"{text} × {self.times}" if self.twins else text

    @property
    def is_chain(self) -> bool:
        """Whether it is a stack, which gives each part what the one before gives."""
        if self.module is None:
            return True
        return "Sequential" in self.module.kind and self.module.instance.layer is None

    def modules(self) -> Iterator[Module]:
        """The modules in it, with those that are folded."""
        if self.module is not None:
            yield from self.module.everything()
        else:
            for part in self.parts:
                yield from part.modules()
                for twin in part.twins:
                    yield from twin.modules()


def nodes_of(module: Module) -> Node:
    """A tree of nodes for a tree of modules; what stands there twice has no node of its own the second time."""
    parts = [nodes_of(child) for child in module.children if not child.is_again]
    weights = module.weights
    own = (
        module.kind,
        construction_text(module.instance),
        show(weights.total),
        outputs_of(module.calls) if module.calls else "",
    )
    return Node(f"m:{neutral(module.path)}", module, parts, signature=(*own, tuple(part.signature for part in parts)))


def fold(root: Node, flow: Flow) -> None:
    """Fold what is repeated, in the node and in those below it."""
    owners = _owners(root)
    todo = [root]
    while todo:
        node = todo.pop()
        links = _links(node, flow, owners)
        node.parts = list(_grouped(node.parts, links))
        todo += [part for part in node.parts if part.module is not None]
        todo += [inner for part in node.parts if part.module is None for inner in part.parts]


def _owners(root: Node) -> dict[int, tuple[Node, ...]]:
    """The nodes around each module and its own, by its ``id``."""
    found: dict[int, tuple[Node, ...]] = {}
    todo: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while todo:
        node, around = todo.pop()
        here = (*around, node)
        if node.module is not None:
            found[id(node.module)] = here
            for other in node.module.others:
                for module in other.everything() if other is not None else ():
                    found.setdefault(id(module), here)
        todo += [(part, here) for part in node.parts]
    return found


#: The arrows between the parts of a node, by their numbers; ``-1`` is what is no part.
_Links = dict[int, set[int]]


def _links(node: Node, flow: Flow, owners: dict[int, tuple[Node, ...]]) -> _Links:
    """To which parts, and what else, what each part gives goes."""
    numbers = {id(part): number for number, part in enumerate(node.parts)}

    def part_of(use: Use) -> int:
        around = owners.get(id(use.module), ())
        return next((numbers[id(one)] for one in around if id(one) in numbers), -1)

    links: _Links = {}
    for use in flow.uses if len(node.parts) >= _FEWEST else ():
        target = part_of(use)
        for tensor in use.op.inputs:
            source = flow.source(tensor)
            if isinstance(source, Use) and (number := part_of(source)) != target and number >= 0:
                links.setdefault(number, set()).add(target)
    for tensor in flow.results:
        source = flow.source(tensor)
        if isinstance(source, Use) and (number := part_of(source)) >= 0:
            links.setdefault(number, set()).add(-1)
    return links


def _grouped(parts: Sequence[Node], links: _Links) -> Iterator[Node]:
    number = 0
    while number < len(parts):
        period, times = _run(parts, number, links)
        if times < _FEWEST:
            yield parts[number]
            number += 1
            continue
        blocks = [list(parts[number + i * period : number + (i + 1) * period]) for i in range(times)]
        nodes = [block[0] if period == 1 else _group(block) for block in blocks]
        nodes[0].twins = nodes[1:]
        yield nodes[0]
        number += period * times


def _group(block: list[Node]) -> Node:
    return Node(f"{block[0].key}–{block[-1].key.rpartition('.')[2]}", None, block)


def _run(parts: Sequence[Node], start: int, links: _Links) -> tuple[int, int]:
    """The longest row of equal blocks from a part on: how many parts a block has, and how many blocks there are."""
    best = (1, 1)
    for period in range(1, min(_LONGEST_PERIOD, (len(parts) - start) // 2) + 1):
        times = 1
        while _is_next(parts, start, period, times) and _is_in_turn(start, period, times, links):
            times += 1
        fewest = _FEWEST_LAYERS if period == 1 and not parts[start].parts else _FEWEST
        if times >= fewest and period * times > best[0] * best[1]:
            best = (period, times)
    return best


def _is_next(parts: Sequence[Node], start: int, period: int, times: int) -> bool:
    """Whether another equal block follows."""
    begin = start + period * times
    block = parts[begin : begin + period]
    return [one.signature for one in block] == [one.signature for one in parts[start : start + period]]


def _is_in_turn(start: int, period: int, times: int, links: _Links) -> bool:
    """Whether the block after some others takes what the last of these gives, and nothing else takes from that one."""
    last = range(start + period * (times - 1), start + period * times)
    following = range(last.stop, last.stop + period)
    outside = {target for number in last for target in links.get(number, ()) if target not in last}
    if any(number in links for number in following):
        return bool(outside) and all(target in following for target in outside)
    return True  # it is not called by itself, as of equal blocks in a row only the first is

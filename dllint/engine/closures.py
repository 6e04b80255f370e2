"""What a file leads to, as one hash: the same as long as nothing about any file it leads to has changed.

Each file is a node with a hash of what is directly true of it. The hash of a closure is made of those of the nodes that import
each other in a circle and of the closures that the circle leads to (a Merkle tree over strongly connected components), so that
all closures together take time that grows with nodes and edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple


class Node(NamedTuple):
    """A file or package: a hash of the facts about it, ``None`` if they are not known, and the nodes that it leads to."""

    own: str | None
    leads_to: tuple[str, ...] = ()


_UNKNOWN = Node(None)


class Closures:
    """The hashes of the closures of nodes, each computed once."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._known: dict[str, str | None] = {}

    def hash_of(self, name: str) -> str | None:
        """The hash of what a node leads to, itself included; ``None`` if a part of that is not known."""
        if name not in self._known:
            self._visit(name)
        return self._known[name]

    def _visit(self, start: str) -> None:
        """Tarjan's algorithm without recursion: the circles below a node, those first that others lead to."""
        nodes, known = self._nodes, self._known
        order: dict[str, int] = {start: 0}
        lowest: dict[str, int] = {start: 0}
        open_nodes = [start]
        path = [(start, iter(nodes.get(start, _UNKNOWN).leads_to))]
        while path:
            name, others = path[-1]
            for other in others:
                if other in known:
                    continue
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_nodes.append(other)
                    path.append((other, iter(nodes.get(other, _UNKNOWN).leads_to)))
                    break
                lowest[name] = min(lowest[name], order[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == order[name]:
                    self._close(open_nodes, name)

    def _close(self, open_nodes: list[str], name: str) -> None:
        """Give its hash to the circle that ends the list of open nodes and begins with one of them."""
        circle = {name}
        while (last := open_nodes.pop()) != name:
            circle.add(last)
        members = [self._nodes.get(each, _UNKNOWN) for each in circle]
        beyond = {other for member in members for other in member.leads_to} - circle
        found = _joined([*(member.own for member in members), *(self._known[other] for other in beyond)])
        self._known.update(dict.fromkeys(circle, found))


def _joined(parts: Iterable[str | None]) -> str | None:
    hashes = set(parts)
    known = sorted(each for each in hashes if each is not None)
    return None if len(known) < len(hashes) else hashed(known)


def hashed(parts: Iterable[str]) -> str:
    """A hash of some texts, none of which contains a line break."""
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

"""Nodes in an order in which each comes after those that give its operands."""

from __future__ import annotations

from collections.abc import Sequence

from dllint.lower.graphs.model import Node


def ordered(nodes: Sequence[Node]) -> list[Node]:
    """The nodes sorted so, those that are sorted already as they are; what lies in a cycle comes last."""
    givers = {name: number for number, node in enumerate(nodes) for name in node.outputs if name}
    waits = [{givers[name] for name in node.inputs if name in givers} - {number} for number, node in enumerate(nodes)]
    if all(max(before, default=-1) < number for number, before in enumerate(waits)):
        return list(nodes)
    takers: dict[int, list[int]] = {}
    for number, before in enumerate(waits):
        for giver in before:
            takers.setdefault(giver, []).append(number)
    missing = [len(before) for before in waits]
    ready = [number for number, count in enumerate(missing) if not count]
    done: list[int] = []
    while ready:
        done += ready
        following = []
        for number in ready:
            for taker in takers.get(number, ()):
                missing[taker] -= 1
                if not missing[taker]:
                    following.append(taker)
        ready = sorted(following)
    cyclic = sorted(set(range(len(nodes))) - set(done))
    return [nodes[number] for number in (*done, *cyclic)]

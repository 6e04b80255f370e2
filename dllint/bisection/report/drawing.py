"""The reference's graph as inline SVG, its culprits marked; of large graphs what surrounds the culprits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from dllint.bisection.graph import Graph, Node
from dllint.bisection.result import Bisection
from dllint.page.markup import Markup, element

#: A graph with more nodes is not drawn as a whole.
_MOST: Final = 60
#: So many steps in front of and behind a culprit are drawn then.
_REACH: Final = 4
_BOX, _ROW, _COLUMN = 26, 46, 190


def graph_drawing(found: Bisection, graph: Graph) -> Markup:
    """Boxes in rows, each below all that it takes its values from."""
    guilty = {name for culprit in found.culprits for step in culprit.steps for name in step.nodes if name in graph}
    harmless = {name for step in found.harmless for name in step.nodes}
    drawn = _drawn(graph, guilty)
    places = _places(graph, drawn)
    if not places:
        return Markup("")
    width = max(x for x, _ in places.values()) + _COLUMN
    height = max(y for _, y in places.values()) + _ROW
    classes = {name: "guilty" if name in guilty else "harmless" if name in harmless else "plain" for name in drawn}
    body = [*_edges(graph, places), *_boxes(graph, places, classes)]
    size = {"viewBox": f"0 0 {width} {height}", "style": f"width:{width}px;max-width:none"}
    return element("svg", *body, class_="graph", role="img", aria_label="graph", **size)


def _drawn(graph: Graph, guilty: Collection[str]) -> list[str]:
    if len(graph.nodes) <= _MOST:
        return [node.name for node in graph.nodes]
    near = set(guilty)
    for _ in range(_REACH):
        near |= {name for found in list(near) for name in (*graph[found].inputs, *graph.consumers[found])}
    return [node.name for node in graph.nodes if node.name in near]


def _places(graph: Graph, drawn: list[str]) -> dict[str, tuple[int, int]]:
    """The upper left corner of each box."""
    rows: dict[str, int] = {}
    used: dict[int, int] = {}
    places: dict[str, tuple[int, int]] = {}
    for name in drawn:
        row = rows[name] = max((rows[given] + 1 for given in graph[name].inputs if given in rows), default=0)
        places[name] = (10 + used.get(row, 0) * _COLUMN, 10 + row * _ROW)
        used[row] = used.get(row, 0) + 1
    return places


def _edges(graph: Graph, places: Mapping[str, tuple[int, int]]) -> Iterator[Markup]:
    for name, (x, y) in places.items():
        for given in graph[name].inputs:
            if given in places:
                x0, y0 = places[given]
                yield element("line", class_="edge", x1=x0 + 80, y1=y0 + _BOX, x2=x + 80, y2=y)


def _boxes(graph: Graph, places: Mapping[str, tuple[int, int]], classes: Mapping[str, str]) -> Iterator[Markup]:
    for name, (x, y) in places.items():
        box = element("rect", x=x, y=y, width=_COLUMN - 20, height=_BOX, rx=4)
        text = element("text", name[:24], x=x + 8, y=y + 17)
        yield element("g", box, text, element("title", _formatted(graph[name])), class_=classes[name])


def _formatted(node: Node) -> str:
    where = f", {node.place.path.name}:{node.place.line}" if node.place else ""
    return f"{node.name}: {node.kind}{' in ' + node.module if node.module else ''}{where}"

"""Small classifiers in numpy, as reference and as candidate: graphs whose operators can be replaced one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.graph import Graph, Node
from dllint.bisection.judges.metric import PerSampleJudge
from dllint.bisection.protocols import Aligned, Observable
from dllint.bisection.search.search import Search
from dllint.bisection.search.settings import Certainty
from dllint.bisection.steps import steps_of
from dllint.bisection.trials import Part, Trials

Operator = Callable[..., np.ndarray]
SAMPLES = 1024
CLASSES = 6


class Toy:
    """Runs named operators in order; serves as reference, and as candidate that can run in parts."""

    def __init__(self, operators: Mapping[str, tuple[Operator, tuple[str, ...]]], modules: Mapping[str, str]) -> None:
        self.operators = dict(operators)
        nodes = [Node("x", "placeholder")]
        nodes += [Node(name, "op", inputs, modules.get(name, ""), shape=()) for name, (_, inputs) in self.operators.items()]
        self.graph = Graph(tuple(nodes), ("x",), (nodes[-1].name,))
        self.observables = [Observable(node.name) for node in nodes[1:]]
        self.outputs = [nodes[-1].name]

    def with_operator(self, **changed: Operator) -> Toy:
        """The same with other operators in the place of some."""
        operators = {name: (changed.get(name, done), inputs) for name, (done, inputs) in self.operators.items()}
        return Toy(operators, {node.name: node.module for node in self.graph.nodes})

    def run(self, inputs, injected_or_wanted, wanted=None):  # the two protocols differ in one argument
        injected = injected_or_wanted if wanted is not None else {}
        return self.segment(injected, wanted if wanted is not None else injected_or_wanted, inputs)

    def segment(self, fed: Mapping[str, np.ndarray], wanted: Sequence[str], inputs: Mapping[str, np.ndarray]):
        values = {**inputs, **fed}
        for name in self.graph.needed(set(values), wanted):
            if name not in values:
                done, names = self.operators[name]
                values[name] = done(*[values[other] for other in names])
        return {name: values[name] for name in wanted}


class Whole:
    """A candidate that can only be run as a whole."""

    def __init__(self, toy: Toy) -> None:
        self.observables, self.outputs, self.run = toy.observables, toy.outputs, toy.run


class Rows:
    """Samples in memory; the candidate may prepare them in its own way."""

    def __init__(self, x: np.ndarray, prepared: Operator = lambda x: x) -> None:
        self._x, self._prepared = x, prepared

    def reference_inputs(self, positions):
        return {"x": self._x[positions]}

    def candidate_inputs(self, positions):
        return {"x": self._prepared(self._x[positions])}


def chain(depth: int = 24, width: int = 16) -> Toy:
    """A residual network: block ``i`` is ``h{i} = h + 0.5 tanh(W h)`` out of two operators, then the logits."""
    generator = np.random.default_rng(3)
    operators: dict[str, tuple[Operator, tuple[str, ...]]] = {}
    modules, last = {}, "x"
    for i in range(depth):
        weight = generator.normal(size=(width, width)) / np.sqrt(width)
        operators[f"t{i}"] = (lambda h, w=weight: np.tanh(h @ w), (last,))
        operators[f"h{i}"] = (lambda h, t: h + 0.5 * t, (last, f"t{i}"))
        modules |= {f"t{i}": f"blocks.{i}.inner", f"h{i}": f"blocks.{i}"}
        last = f"h{i}"
    head = generator.normal(size=(width, CLASSES))
    operators["logits"] = (lambda h: h @ head, (last,))
    return Toy(operators, {**modules, "logits": "head"})


def right(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """1 for each sample whose class is right."""
    return (outputs.argmax(-1) == targets).astype(float)


def rows(seed: int = 0, width: int = 16, samples: int = SAMPLES) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(samples, width))


def labels(reference: Toy, x: np.ndarray, seed: int = 1) -> np.ndarray:
    """What the reference says, wrong for one sample in five."""
    said = reference.run({"x": x}, ["logits"])["logits"].argmax(-1)
    generator = np.random.default_rng(seed)
    return np.where(generator.random(len(x)) < 0.2, generator.integers(CLASSES, size=len(x)), said)


def bisected(reference: Toy, candidate, x: np.ndarray | None = None, prepared: Operator = lambda x: x, **certainty):
    """The result of a whole search over a toy, accuracy being the metric."""
    x = rows() if x is None else x
    aligned = [Aligned(name, name, "name") for name in reference.operators]
    bench = Bench(reference, candidate, aligned, Rows(x, prepared), (lambda o: o, lambda o: o))
    chunks = np.array_split(np.arange(len(x)), 8)
    parts = {Part.SEARCH: chunks[::2], Part.CONFIRM: chunks[1::2]}
    own = prepared(x[:1]) is not x[:1] and not np.array_equal(prepared(x[:1]), x[:1])
    steps = steps_of(reference.graph, aligned, own, own_postprocess=False)
    trials = Trials(PerSampleJudge(right, bound=1.0), bench.run, bench.alive, labels(reference, x), parts)
    return Search(bench, trials, steps, Certainty(**certainty), lambda text: None).run()

"""The power of metric bisection: what is found at a known true drop, and what is accused where there is none.

python -m benchmarks.bisection.power [--repetitions 100]

A network of rotations in numpy is the reference; the candidate differs in one operator, drawn anew in each repetition, which
makes right answers wrong for a known share of the samples, beside flips in both directions that cost nothing on average. So the
true drop is known. It is set to 0, 0.5, 1 and 1.5 times the smallest visible drop that the search itself states of such a
candidate. Writes ``results/bisection-power.json``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks import results
from benchmarks.bisection.networks import Network, Rows, rotating
from dllint.bisection.bench import Bench
from dllint.bisection.judges.metric import PerSampleJudge
from dllint.bisection.protocols import Aligned
from dllint.bisection.search.gate import gate
from dllint.bisection.search.search import Search
from dllint.bisection.search.settings import Certainty
from dllint.bisection.steps import Profile, Step, steps_of
from dllint.bisection.trials import Part, Trials

TIMES: Final = (0.0, 0.5, 1.0, 1.5)
SAMPLES: Final = 2048
#: Share of samples that the reference gets right, and that flip in either direction at no cost.
_RIGHT: Final = 0.8
_NOISE: Final = 0.02
_CLASSES: Final = 6
_DEPTH: Final = 24
#: The visible drop depends a little on the drop itself; so often they are adjusted to each other.
_ROUNDS: Final = 3


def main() -> None:
    """Run the repetitions, print a line for each size of the drop."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    options = parser.parse_args()
    rows = [row(times, options.repetitions) for times in TIMES]
    for found in rows:
        print(json.dumps(found), flush=True)
    print(f"written: {results.write('bisection-power', {'samples': SAMPLES, 'rows': rows}).name}")


def row(times: float, repetitions: int) -> dict[str, Any]:
    """All repetitions at one size of the drop."""
    found = [repetition(times, seed) for seed in range(repetitions)]
    return {
        "times": times,
        "repetitions": repetitions,
        "detected": sum(one["detected"] for one in found),
        "false culprits": sum(one["false"] for one in found),
        "mean true drop": round(float(np.mean([one["drop"] for one in found])), 4),
        "mean evaluations": round(float(np.mean([one["evaluations"] for one in found])), 1),
    }


def repetition(times: float, seed: int) -> dict[str, Any]:
    """One candidate: whether its operator was named, and whether another one was."""
    generator = np.random.default_rng([seed, int(10 * times)])
    network = rotating(_DEPTH, _CLASSES, generator)
    logits = generator.normal(size=(SAMPLES, _CLASSES))
    said = logits.argmax(1)
    targets = np.where(generator.random(SAMPLES) < _RIGHT, said, (said + 1) % _CLASSES)
    guilty = network.operators[int(generator.integers(len(network.operators)))]
    drawn, drop = generator.random(SAMPLES), 0.0
    for _ in range(_ROUNDS if times else 0):
        candidate = network.answering(guilty, answers(said, targets, drawn, drop))
        trials, _, steps = laid(network, candidate, Rows(logits), targets)
        profile = Profile(steps)
        drop = times * gate(trials, profile, profile.whole, Certainty()).smallest_visible_drop
    candidate = network.answering(guilty, answers(said, targets, drawn, drop))
    trials, bench, steps = laid(network, candidate, Rows(logits), targets)
    found = Search(bench, trials, steps, Certainty(), lambda text: None).run()
    named = [step.name for culprit in found.culprits for step in culprit.steps]
    return {
        "detected": times > 0 and named == [guilty],
        "false": any(name != guilty or times == 0 for name in named),
        "drop": drop,
        "evaluations": found.evaluations,
    }


def answers(said: np.ndarray, targets: np.ndarray, drawn: np.ndarray, drop: float) -> np.ndarray:
    """Classes for those samples whose answer turns, -1 for the others: of the right ones and of the wrong ones known shares."""
    right = said == targets
    lost = right & (drawn < (_NOISE + drop) / _RIGHT)
    won = ~right & (drawn < _NOISE / (1 - _RIGHT))
    turned: np.ndarray = np.where(lost, (targets + 1) % _CLASSES, np.where(won, targets, -1))
    return turned


def laid(reference: Network, candidate: Network, rows: Rows, targets: np.ndarray) -> tuple[Trials, Bench, list[Step]]:
    """All that a search with accuracy as metric needs."""
    aligned = [Aligned(name, name, "name") for name in reference.operators]
    bench = Bench(reference, candidate, aligned, rows, (lambda outputs: outputs, lambda outputs: outputs))
    chunks = np.array_split(np.arange(SAMPLES), 16)
    parts = {Part.SEARCH: chunks[::2], Part.CONFIRM: chunks[1::2]}
    steps = steps_of(reference.graph, aligned, False, False)
    return Trials(PerSampleJudge(_right, bound=1.0), bench.run, bench.alive, targets, parts), bench, steps


def _right(outputs: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    return outputs.argmax(-1) == targets


if __name__ == "__main__":
    main()

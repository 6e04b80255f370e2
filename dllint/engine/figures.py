"""The figures that say what was followed, of a file or of all files of a run, as numbers and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Figures:
    """Models and those of which something was followed, places of tensor operations and those whose shapes are known."""

    models: int = 0
    followed_models: int = 0
    places: int = 0
    known: int = 0
    #: Files by the framework that they import and dllint does not know.
    foreign: Mapping[str, int] = field(default_factory=dict)
    #: Analyses that the budget cut short, files that were left out, analyses that an error of dllint ended.
    cut: int = 0
    skipped: int = 0
    failed: int = 0

    @property
    def share(self) -> float | None:
        """The share of places whose shapes are known; ``None`` without any place."""
        return self.known / self.places if self.places else None

    @property
    def is_whole(self) -> bool:
        """Whether there was something to follow, and all of it was: every model, the shape of every operation, and nothing
        left out, cut short or ended by an error."""
        return 0 < self.known == self.places and self.followed_models == self.models and not self.obstacles

    @property
    def obstacles(self) -> int:
        """How many things kept code from being followed at all."""
        return sum(self.foreign.values()) + self.cut + self.skipped + self.failed

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.models + other.models,
            self.followed_models + other.followed_models,
            self.places + other.places,
            self.known + other.known,
            Counter(self.foreign) + Counter(other.foreign),
            self.cut + other.cut,
            self.skipped + other.skipped,
            self.failed + other.failed,
        )

    def to_fields(self) -> list[Any]:
        """The fields in their order, as JSON data."""
        return [
            self.models,
            self.followed_models,
            self.places,
            self.known,
            dict(self.foreign),
            self.cut,
            self.skipped,
            self.failed,
        ]

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "models": self.models,
            "followed_models": self.followed_models,
            "operations": self.places,
            "known_shapes": self.known,
            "share": None if self.share is None else round(self.share, 4),
            "unknown_frameworks": dict(sorted(self.foreign.items())),
            "cut_short": self.cut,
            "skipped": self.skipped,
            "failed": self.failed,
        }


def in_words(figures: Figures) -> str:
    """``Followed 14 of 17 models, shapes of 81 % of operations; 2 files use jax, which dllint does not know.``"""
    return f"{'; '.join((_followed(figures), *_obstacles(figures)))}."


def _followed(figures: Figures) -> str:
    if figures.share is None:
        return "Found no tensor code"
    whole = figures.known == figures.places
    shapes = "shapes of all operations" if whole else f"shapes of {int(100 * figures.share)} % of operations"
    if not figures.models:
        return f"Followed {shapes}"
    of = "" if figures.followed_models == figures.models else f"{figures.followed_models} of "
    return f"Followed {of}{_counted(figures.models, 'model')}, {shapes}"


def _obstacles(figures: Figures) -> Iterator[str]:
    if figures.foreign:
        first, *others = sorted(figures.foreign.items(), key=lambda item: (-item[1], item[0]))[:_MOST_NAMED]
        users = f"{_counted(first[1], 'file')} {'uses' if first[1] == 1 else 'use'} {first[0]}"
        named = [users, *(f"{number} {name}" for name, number in others)]
        yield f"{', '.join(named[:-1])}{' and ' if named[1:] else ''}{named[-1]}, which dllint does not know"
    for number, noun, happened in (
        (figures.cut, "analysis", "cut short"),
        (figures.skipped, "file", "left out"),
        (figures.failed, "analysis", "ended by an error of dllint"),
    ):
        if number:
            yield f"{_counted(number, noun)} {'was' if number == 1 else 'were'} {happened}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {'analyses' if noun == 'analysis' else f'{noun}s'}"

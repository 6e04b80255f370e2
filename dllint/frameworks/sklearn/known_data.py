"""Data sets that ship with scikit-learn, and those it generates. Sources: their docstrings (1.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, columns, and the number of classes (0: real numbers)."""

    rows: int
    columns: int
    classes: int


TABLES: Final = {
    "load_iris": Table(150, 4, 3),
    "load_digits": Table(1797, 64, 10),
    "load_wine": Table(178, 13, 3),
    "load_breast_cancer": Table(569, 30, 2),
    "load_diabetes": Table(442, 10, 0),
    "load_boston": Table(506, 13, 0),
    "fetch_california_housing": Table(20640, 8, 0),
    "fetch_olivetti_faces": Table(400, 4096, 40),
}


@dataclass(frozen=True, slots=True)
class Generator:
    """A function that makes data: its signature, the parameter or number that says how many columns there are, and the
    parameter or number that says how many classes (0: real numbers)."""

    signature: str
    columns: str | int
    classes: str | int


GENERATORS: Final = {
    "make_classification": Generator("n_samples=100, n_features=20, *, n_classes=2", "n_features", "n_classes"),
    "make_regression": Generator("n_samples=100, n_features=100, *, n_targets=1", "n_features", 0),
    "make_blobs": Generator("n_samples=100, n_features=2, *, centers=3", "n_features", "centers"),
    "make_moons": Generator("n_samples=100, *, noise=None", 2, 2),
    "make_circles": Generator("n_samples=100, *, noise=None", 2, 2),
    "make_gaussian_quantiles": Generator("*, n_samples=100, n_features=2, n_classes=3", "n_features", "n_classes"),
    "make_swiss_roll": Generator("n_samples=100, *, noise=0.0", 3, 0),
    "make_s_curve": Generator("n_samples=100, *, noise=0.0", 3, 0),
    "make_friedman1": Generator("n_samples=100, n_features=10, *, noise=0.0", "n_features", 0),
}

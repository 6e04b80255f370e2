"""Programs that give a callable of Keras an old keyword, or the new one: run with releases to see which of them take it.

``python -m dllint.dev.keyword_programs > programs.json`` writes them for :mod:`dllint.dev.release_names`; the tests run them
with today's release.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.frameworks import registry
from dllint.frameworks.binding import REQUIRED
from dllint.frameworks.keras.renames import KEYWORD_ADVICE, KEYWORDS, LAYER_KEYWORDS

#: Parameter → a value that it takes in all releases, as source text.
_VALUES: Final = {
    "units": "3", "filters": "3", "kernel_size": "3", "pool_size": "2", "rate": "0.5", "strides": "1", "padding": "'same'",
    "data_format": "'channels_last'", "dilation_rate": "1", "kernel_initializer": "'zeros'", "recurrent_initializer": "'zeros'",
    "embeddings_initializer": "'zeros'", "beta_initializer": "'zeros'", "gamma_initializer": "'zeros'",
    "batch_input_shape": "(2, 8)", "stddev": "0.1", "axis": "-1", "size": "2", "activation": "'relu'",
    "recurrent_activation": "'sigmoid'", "dropout": "0.1", "recurrent_dropout": "0.1", "unit_forget_bias": "True",
    "use_bias": "True", "input_dim": "5", "output_dim": "4", "learning_rate": "0.1", "period": "1", "filepath": "'a.keras'",
}  # fmt: skip
_FIT: Final = (
    "import keras, numpy\nmodel = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])\n"
    "model.compile('sgd', 'mse')\nmodel.fit(numpy.ones((4, 2)), numpy.ones((4, 1)), verbose=0, {}=1)\n"
)
_MODEL: Final = (
    "import keras\nx = keras.layers.Input((3,))\ny = keras.layers.Dense(2)(x)\nkeras.models.Model(**{{{!r}: x, {!r}: y}})\n"
)
_COMMON: Final = ("Dense", "Conv2D", "LSTM")


@dataclass(frozen=True, slots=True)
class OldKeyword:
    """A keyword that a callable had once; ``new`` is today's name of it, or empty."""

    callable: str
    keyword: str
    new: str

    def program(self, keyword: str) -> str:
        """A program that gives the callable the old or the new keyword."""
        short = self.callable.rpartition(".")[2]
        if short == "fit":
            return _FIT.format(keyword)
        if self.callable == "keras.Model":
            names = (keyword, "outputs") if self.new == "inputs" else ("inputs", keyword)
            return _MODEL.format(*names)
        if short == "to_categorical":
            given = f"{keyword}=[0, 1]" if self.new == "x" else f"[0, 1], {keyword}=2"
            return f"import keras\nkeras.utils.to_categorical({given})\n"
        values = {name: _VALUES[name] for name in self._required()} | {keyword: _VALUES.get(self.new or self.keyword, "None")}
        return f"import keras\n{self.callable}({', '.join(f'{name}={value}' for name, value in values.items())})\n"

    def _required(self) -> list[str]:
        params = registry.parameters(self.callable) or ()
        return [p.name for p in params if p.default is REQUIRED and p.kind in ("pos", "only") and p.name != self.new]


def old_keywords() -> Iterator[OldKeyword]:
    """All keywords of the tables; those of all layers for a few of them."""
    registry.load("keras")
    for layer, table in LAYER_KEYWORDS.items():
        for each in _COMMON if layer == "*" else (layer,):
            yield from (OldKeyword(f"keras.layers.{each}", old, new) for old, new in table.items())
    for name, table in KEYWORDS.items():
        yield from (OldKeyword(name, old, new) for old, new in table.items())
    for name, table in KEYWORD_ADVICE.items():
        for each in _COMMON if name == "keras.layers.Layer" else ("",):
            callable_ = f"keras.layers.{each}" if each else name
            yield from (OldKeyword(callable_, old, "") for old in table)


def programs() -> dict[str, str]:
    """The programs with old keywords, by callable and keyword."""
    return {f"{old.callable} {old.keyword}": old.program(old.keyword) for old in old_keywords()}


if __name__ == "__main__":
    print(json.dumps(programs(), indent=1))

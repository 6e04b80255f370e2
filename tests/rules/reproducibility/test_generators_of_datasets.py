"""Datasets that draw from a generator of their own, of which each worker of a loader has a copy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import random\nimport numpy as np\nimport torch\nfrom torch import utils"
DATASET: Final = """
class Drawn(utils.data.Dataset):
    def __init__(self):
        self.numbers = {made}

    def __len__(self):
        return 64

    def __getitem__(self, index):
        {more}return torch.ones(4) * {drawn}


data = Drawn()
"""
LOOP: Final = "for batch in utils.data.DataLoader(data, batch_size=8, num_workers={workers}{given}):\n    print(batch)"
MADE: Final = {
    "numpy": ("np.random.default_rng(3)", "self.numbers.normal()"),
    "old numpy": ("np.random.RandomState(3)", "self.numbers.uniform(0, 1)"),
    "python": ("random.Random(3)", "self.numbers.random()"),
    "torch": ("torch.Generator()", "torch.rand(4, generator=self.numbers)"),
}


def is_told(kind: str, form: str, folder: Path, workers: str = "2", given: str = "", more: str = "") -> bool:
    made, drawn = MADE[kind]
    setup, body = DATASET.format(made=made, drawn=drawn, more=more), LOOP.format(workers=workers, given=given)
    return bool(found(FORMS[form](Case("DLR103", IMPORTS, setup, body, ("data",))), folder, ("DLR103",)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MADE)
def test_generators_that_each_worker_copies(kind: str, form: str, tmp_path: Path) -> None:
    assert is_told(kind, form, tmp_path)
    assert not is_told(kind, form, tmp_path, workers="0")
    assert not is_told(kind, form, tmp_path, given=", worker_init_fn=print")


@pytest.mark.parametrize("kind", MADE)
def test_a_file_that_only_speaks_of_workers(kind: str, tmp_path: Path) -> None:
    made, drawn = MADE[kind]
    imports = f"{IMPORTS}\nfrom torch.utils.data import get_worker_info"
    case = Case("DLR103", imports, DATASET.format(made=made, drawn=drawn, more=""), LOOP.format(workers=2, given=""), ("data",))
    assert found(FORMS["plain"](case), tmp_path, ("DLR103",))


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize(
    "more",
    [
        "info = utils.data.get_worker_info()\n        ",
        "self.numbers = np.random.default_rng(torch.initial_seed())\n        ",
    ],
)
def test_datasets_that_ask_in_which_worker_they_are(kind: str, more: str, tmp_path: Path) -> None:
    assert not is_told(kind, "plain", tmp_path, more=more)

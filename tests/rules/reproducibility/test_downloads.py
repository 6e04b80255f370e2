"""Downloaded files that are unpickled are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = (
    "import io\nimport pickle\nimport urllib.request\n\nimport gdown\nimport joblib\nimport numpy\nimport requests\n"
    "import torch\nfrom huggingface_hub import hf_hub_download\n"
)
SETUP = "name = 'someone/model'"
HUB = "path = hf_hub_download(name, 'model.bin')\n"
TO_FILE = "urllib.request.urlretrieve(name, 'model.bin')\n"
#: Faulty and repaired body.
PAIRS = [
    (f"{HUB}print(torch.load(path, weights_only=False))", f"{HUB}print(torch.load(path, weights_only=True))"),
    (f"{HUB}print(joblib.load(path))", f"{HUB}print(joblib.load('other.bin'))"),
    (f"{HUB}print(numpy.load(path, allow_pickle=True))", f"{HUB}print(numpy.load(path))"),
    (
        f"{TO_FILE}print(torch.load('model.bin', weights_only=False))",
        f"{TO_FILE}print(torch.load('m.bin', weights_only=False))",
    ),
    (
        f"{TO_FILE}with open('model.bin', 'rb') as file:\n    print(pickle.load(file))",
        f"{TO_FILE}with open('other.bin', 'rb') as file:\n    print(pickle.load(file))",
    ),
    (
        "gdown.download(name, output='model.bin')\nprint(torch.load('model.bin', weights_only=False))",
        "print(torch.load('model.bin', weights_only=False))\ngdown.download(name, output='model.bin')",
    ),
    (
        "answer = requests.get(name)\nprint(torch.load(io.BytesIO(answer.content), weights_only=False))",
        "answer = requests.get(name)\nprint(torch.load(io.BytesIO(name), weights_only=False))",
    ),
    ("print(pickle.loads(requests.get(name).content))", "print(pickle.loads(name))"),
]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("pair", "form"), list(product(PAIRS, FORMS)))
def test_every_form_is_found_and_its_twin_is_not(pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    for body, wanted, name in zip(pair, (True, False), "ab", strict=True):
        (tmp_path / name).mkdir()
        case = Case("DLR106", IMPORTS, SETUP, body, ("name",))
        assert ("DLR106" in found(FORMS[form](case), tmp_path / name, ["DLR106"])) is wanted

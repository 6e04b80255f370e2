"""Files that are loaded under nearly the name under which a program saves, and dicts of several things taken for models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import os\nimport pathlib\nimport torch\nfrom torch import nn"
MODEL = "model, epoch, step, kind = nn.Linear(8, 2), 3, 4, 'net'"
SAVE = "torch.save(model.state_dict(), {saved})\n"
#: The name under which is saved, and loaded → whether that is a slip.
NAMES = {
    ("'best_model.pth'", "'model_best.pth'"): True,
    ("'best_model.pth'", "'bestmodel.pth'"): True,
    ("'out/best-net.pth'", "'out/best_net.pth'"): True,
    ("'out/net.pt'", "'out/net.pth'"): True,
    ("pathlib.Path('out') / 'best_net.pth'", "pathlib.Path('out') / 'bestnet.pth'"): True,
    ("pathlib.Path('out') / 'net.pth'", "pathlib.Path('out', 'net.pt')"): True,
    ("os.path.join('out', 'net.pth')", "pathlib.Path('out') / 'net.ckpt'"): True,
    ("pathlib.Path('out') / 'net.pth'", "os.path.join('out', 'net.pth')"): False,
    ("'net.pth'", "'net.txt'"): False,
    ("'best_model.pth'", "'best_model.pth'"): False,
    ("'model_1.pth'", "'model_2.pth'"): False,
    ("'model.pth'", "'resnet18.pth'"): False,
    ("'a/best_model.pth'", "'b/model_best.pth'"): False,
    ("'checkpoints/net.pth'", "'checkpoint/net.pth'"): True,
    ("'runs/weights/net.pth'", "'runs/wieghts/net.pth'"): True,
    ("'fold_1/net.pth'", "'fold_2/net.pth'"): False,
    ("'train/net.pth'", "'valid/net.pth'"): False,
    ("'one/checkpoints/net.pth'", "'two/checkpoint/net.pth'"): False,
    ("name", "'model_best.pth'"): False,
    ("f'best_{epoch}.pth'", "'best.pth'"): True,
    ("f'out/net-{step}.pth'", "'out/net.pth'"): True,
    ("f'best_{epoch}.pth'", "'best_3.pth'"): False,
    ("f'best_{kind}.pth'", "'best.pth'"): False,
    ("f'best_{epoch}.pth'", "'first.pth'"): False,
    ("'best_0.pth'", "'best.pth'"): False,
    ("os.path.join('out', 'last.pt')", "os.path.join('out', 'best.pt')"): True,
    ("'out/net_best.pth'", "'out/net_final.pth'"): True,
    ("'net_last.pth'", "'net_teacher.pth'"): False,
    ("'net_last.pth'", "'other_best.pth'"): False,
    ("'last.pt'", "'out/best.pt'"): False,
}


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_guard", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize(("saved", "loaded"), NAMES)
def test_names(saved: str, loaded: str, form: str, tmp_path: Path) -> None:
    body = SAVE.format(saved=saved) + f"model.load_state_dict(torch.load({loaded}))\nprint(model(torch.ones(1, 8)))"
    imports = IMPORTS + "\nfrom settings import name" * (saved == "name")
    files = FORMS[form](Case("DLR104", imports, MODEL, body, ("model", "epoch", "step", "kind")))
    assert ("DLR104" in found(files, tmp_path)) is NAMES[saved, loaded]


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_guard", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize(
    ("used", "is_told"),
    [
        ("loaded.eval()", True),
        ("model.load_state_dict(loaded['model'])", False),
        ("loaded['whole'].eval()", False),
    ],
)
def test_a_dict_is_no_model(used: str, is_told: bool, form: str, tmp_path: Path) -> None:
    body = f"torch.save({{'model': model.state_dict(), 'epoch': 3}}, 'a.pt')\nloaded = torch.load('a.pt')\n{used}"
    files = FORMS[form](Case("DLR104", IMPORTS, MODEL, body, ("model",)))
    assert ("DLR104" in found(files, tmp_path)) is is_told


@pytest.mark.parametrize(
    "body",
    [
        "torch.save(model.state_dict(), 'net.pt')\nif os.path.exists('net.pth'):\n    torch.load('net.pth')",
        "torch.save(model.state_dict(), 'net.pt')\nconvert('net.pt', 'net.pth')\ntorch.load('net.pth')",
        "model.load_state_dict(torch.load('net.pth'))\ntorch.save(model.state_dict(), 'net.pt')",
    ],
)
def test_files_that_something_else_may_write(body: str, tmp_path: Path) -> None:
    imports = f"{IMPORTS}\nfrom tools import convert"
    assert "DLR104" not in found(FORMS["plain"](Case("DLR104", imports, MODEL, body, ("model",))), tmp_path)


COPY = "torch.save(model.state_dict(), f'net_{{epoch}}.pt')\n{copy}\nmodel.load_state_dict(torch.load('net.pt'))"


@pytest.mark.parametrize(
    ("copy", "is_told"),
    [
        ("print(epoch)", True),
        ("os.makedirs('out', exist_ok=True)", True),
        ("print('net_3'.replace('_3', ''))", True),
        ("print(dict(root='data', download=True))", True),
        ("shutil.copy(f'net_{epoch}.pt', 'net' + '.pt')", False),
        ("subprocess.run(['cp', f'net_{epoch}.pt', 'net' + '.pt'])", False),
        ("os.replace(f'net_{epoch}.pt', 'net' + '.pt')", False),
        ("pathlib.Path(f'net_{epoch}.pt').rename('net' + '.pt')", False),
        ("torch.hub.download_url_to_file(os.environ['WHERE'], 'net' + '.pt')", False),
    ],
)
@pytest.mark.parametrize("form", ["plain", "in_other_file"])
def test_programs_that_make_files_in_other_ways(copy: str, is_told: bool, form: str, tmp_path: Path) -> None:
    imports = IMPORTS + "".join(f"\nimport {name}" for name in ("shutil", "subprocess") if name in copy)
    files = FORMS[form](Case("DLR104", imports, MODEL, COPY.format(copy=copy), ("model", "epoch")))
    assert ("DLR104" in found(files, tmp_path)) is is_told


KERAS = """import os
import keras
import numpy as np


def train(folder):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(np.random.rand(8, 4), np.random.rand(8))
    model.{0}


def score(folder):
    {1}


if __name__ == "__main__":
    train("out")
    score("out")
"""


@pytest.mark.parametrize(
    ("saving", "loading", "is_told"),
    [
        ("save(os.path.join(folder, 'a.keras'))", "keras.models.load_model(os.path.join(folder, 'a.h5'))", True),
        ("save(f'{folder}/a.keras')", "keras.saving.load_model(f'{folder}/a.hdf5')", True),
        ("save(f'{folder}/a.keras')", "keras.saving.load_model(f'{folder}/a.keras')", False),
        ("save(f'{folder}/a.keras')", "keras.saving.load_model('b.h5')", False),
    ],
)
def test_names_of_keras_models(saving: str, loading: str, is_told: bool, tmp_path: Path) -> None:
    text = KERAS.replace("{0}", saving).replace("{1}", loading)
    assert ("DLR104" in found({"main.py": text}, tmp_path)) is is_told

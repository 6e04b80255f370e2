"""An array is made of what is in the memory of the processor: what a model on an accelerator gives has to be fetched first, in
every form of a program. Lists of tensors that require gradients are no arrays either."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "from collections import deque\n\nimport numpy as np\nimport torch\nfrom torch import nn"
MOVES = (
    'device = torch.device("cuda")\nmodel = nn.Linear(8, 2).to(device)',
    "device = 0\nmodel = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2)).cuda(device)",
    'device = "cuda" if torch.cuda.is_available() else "cpu"\nmodel = nn.Linear(8, 2)\nmodel.to(device)',
    'import os\nrank = int(os.environ["LOCAL_RANK"])\ndevice = f"cuda:{rank}"\nmodel = nn.Linear(8, 2).to(device)',
    *(
        f'import os\nrank = int(os.environ["LOCAL_RANK"])\ndevice = torch.device({name})\nmodel = nn.Linear(8, 2).to(device)'
        for name in ('"cuda:%d" % rank', '"cuda:" + str(rank)', '"cuda:{}".format(rank)', '"cuda", rank')
    ),
    'import os\ndevice = int(os.environ["LOCAL_RANK"])\n'
    "model = nn.parallel.DistributedDataParallel(nn.Linear(8, 2).to(device))",
)
ELSEWHERE = (
    "with torch.no_grad():\n    print(model(torch.randn(4, 8).to(device)).argmax(1).numpy())",
    "with torch.inference_mode():\n    y = model(torch.randn(4, 8).to(device))\n    print(y.softmax(-1).numpy().mean())",
    "kept = []\nfor _ in range(3):\n    kept.append(model(torch.randn(4, 8).to(device)).detach().flatten().numpy())",
    "scores = model(torch.randn(4, 8).to(device)).detach()\nprint(scores[:, 1].contiguous().numpy())",
)
FETCHED = (
    "with torch.no_grad():\n    print(model(torch.randn(4, 8).to(device)).argmax(1).cpu().numpy())",
    'with torch.no_grad():\n    scores = model(torch.randn(4, 8).to(device)).to("cpu")\n    print(scores.numpy())',
    "x = torch.randn(4, 8)\nprint(x.numpy(), model(x.to(device)).tolist())",
    "model.cpu()\nprint(model(torch.randn(4, 8)).detach().numpy())",
    "print(model(torch.randn(4, 8).to(device)).detach().numpy(force=True))",
    "y = model(torch.randn(4, 8).to(device)).detach()\nprint(y.cpu().numpy() if y.is_cuda else y.numpy())",
    "y = model(torch.randn(4, 8).to(device)).detach()\nif y.is_cuda:\n    y = y.cpu()\nprint(y.numpy())",
    'y = model(torch.randn(4, 8).to(device)).detach()\nif y.device.type == "cpu":\n    print(y.numpy())',
)
KEPT = (
    ("kept = []", "kept.append({0})"),
    ("kept = deque()", "kept.appendleft({0})"),
    ("kept = deque(maxlen=100)", "kept.append({0})"),
    ("kept = []", "kept += [{0}]"),
)
READ = ("np.mean(kept)", "np.array(kept, dtype=np.float32)", "np.stack(kept)", "np.asarray(kept).std()", "np.median(kept)")


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("moved", MOVES)
@pytest.mark.parametrize("body", ELSEWHERE)
def test_what_is_on_an_accelerator(form: str, moved: str, body: str, tmp_path: Path) -> None:
    case = Case("DLG104", IMPORTS, moved, body, ("model", "device"))
    assert "DLG104" in found(FORMS[form](case), tmp_path, ["DLG104"])


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("moved", MOVES)
@pytest.mark.parametrize("body", FETCHED)
def test_what_is_fetched(form: str, moved: str, body: str, tmp_path: Path) -> None:
    case = Case("DLG104", IMPORTS, moved, body, ("model", "device"))
    assert not found(FORMS[form](case), tmp_path, ["DLG104"])


def _listed(makes: str, keeps: str, read: str, value: str) -> str:
    step = f"    loss = model(torch.randn(4, 8)).square().mean()\n    {keeps.format(value)}"
    return f"{makes}\nfor _ in range(3):\n{step}\nprint({read})"


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("makes", "keeps"), KEPT)
@pytest.mark.parametrize("read", READ)
def test_lists_of_losses(form: str, makes: str, keeps: str, read: str, tmp_path: Path) -> None:
    case = Case("DLG104", IMPORTS, "model = nn.Linear(8, 2)", _listed(makes, keeps, read, "loss"), ("model",))
    assert "DLG104" in found(FORMS[form](case), tmp_path, ["DLG104"])


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("makes", "keeps"), KEPT)
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("value", ["loss.item()", "loss.detach()", "float(loss)", "loss.data", "torch.randn(4)"])
def test_lists_of_numbers(form: str, makes: str, keeps: str, read: str, value: str, tmp_path: Path) -> None:
    case = Case("DLG104", IMPORTS, "model = nn.Linear(8, 2)", _listed(makes, keeps, read, value), ("model",))
    assert not found(FORMS[form](case), tmp_path, ["DLG104"])

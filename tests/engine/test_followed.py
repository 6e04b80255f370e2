"""What the findings rest on: places whose shapes are known, and all that was not reached."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine import gate, refine, trial
from dllint.engine.figures import Figures, in_words
from dllint.engine.followed import figures_of, total
from dllint.engine.run import Plan, check_files
from dllint.engine.session import Session

HEAD = "import torch\nfrom torch import nn\n\n\n"
#: Code, its places and those with known shapes.
CODE = {
    "known": ("x = torch.zeros(2, 3)\ny = torch.relu(x) + 1\n", 3, 3),
    "once for all passes": ("x = torch.zeros(2, 3)\nfor _ in range(4):\n    x = torch.relu(x)\n", 2, 2),
    "once for all calls": ("def f(x):\n    return torch.relu(x)\n\n\nf(torch.zeros(2))\nf(torch.zeros(3))\n", 3, 3),
    "known in one context": ("def f(x):\n    return torch.relu(x)\n\n\nf(torch.load('a'))\nf(torch.zeros(3))\n", 2, 2),
    "unknown": ("x = torch.load('a')\ny = torch.relu(x)\nz = x.view(3, -1)\n", 2, 0),
    "given up": ("x = torch.zeros(2)\ny = torch.an_operation_of_tomorrow(x)\n", 2, 1),
    "not called": ("def f(x):\n    return torch.relu(torch.exp(x))\n\n\nx = torch.zeros(2)\n", 3, 1),
    "method not called": (
        "class Tool:\n    def work(self, x):\n        return torch.relu(x)\n\n\nx = torch.zeros(2)\n",
        2,
        1,
    ),
    "arm not taken": ("x = torch.zeros(2)\nif len(x) > 5:\n    y = torch.relu(x)\n    z = torch.exp(y)\n", 3, 1),
    "numpy beside": ("import numpy as np\nx = torch.zeros(2)\ny = np.ones(3) + np.zeros(3)\n", 1, 1),
    "nothing": ("print(1)\n", 0, 0),
}


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def figures(*paths: str, **plan) -> Figures:
    configuration = Configuration(isolated=True, overrides={"cache_dir": "kept", **plan.pop("settings", {})})
    results = check_files([Path(path) for path in paths], Plan(configuration, **{"jobs": 1, **plan}), lambda: None)
    return total(figures_of(results))


@pytest.mark.parametrize("kind", CODE)
def test_places_are_counted_once_and_what_was_not_reached_is_unknown(kind):
    code, places, known = CODE[kind]
    Path("main.py").write_text(HEAD + code)
    found = figures("main.py")
    assert (found.places, found.known) == (places, known)
    assert found.share == (known / places if places else None)


TOOLS = "import torch\n\n\ndef used(x):\n    return torch.relu(x)\n\n\ndef unused(x):\n    return torch.exp(x)\n"


@pytest.mark.parametrize("order", list(itertools.permutations(("main.py", "tools.py"))))
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_is_judged_by_all_who_have_been_in_it(order, jobs):
    Path("tools.py").write_text(TOOLS)
    Path("main.py").write_text("import torch\nimport tools\n\ny = tools.used(torch.zeros(2))\n")
    assert figures("tools.py").share == 0
    together = figures(*order, jobs=jobs)
    assert (together.places, together.known) == (3, 2)


MODELS = """\
class Followed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


class Lost(nn.Module):
    def __init__(self, path):
        super().__init__()
        self.net = torch.jit.load(path)

    def forward(self, x):
        return self.net(x)
"""


def test_models_of_which_nothing_is_known_were_not_followed():
    Path("main.py").write_text(HEAD + MODELS)
    found = figures("main.py")
    assert (found.models, found.followed_models) == (2, 1)
    assert in_words(found).startswith("Followed 1 of 2 models, shapes of ")


def test_the_cache_tells_the_same():
    Path("main.py").write_text(HEAD + MODELS + "import jax\n")
    runs = [figures("main.py", cache=True) for _ in range(2)]
    assert runs[0] == runs[1] == figures("main.py")
    assert runs[0].foreign == {"jax": 1}


def test_what_the_budget_cuts_short_is_told():
    steps = "        x = torch.relu(x)\n" * 40
    models = (f"class Net{number}(nn.Module):\n    def forward(self, x):\n{steps}        return x\n" for number in range(3))
    Path("main.py").write_text(HEAD + "\n\n".join(models))
    assert figures("main.py").cut == 0
    found = figures("main.py", settings={"max_steps": 50})
    assert 0 < found.cut <= 3
    assert not found.is_whole


CHAINS = {
    "of returns": "def f(a, x):\n    if a == -1:\n        return x\n{chain}    return x\nf(int(input()), torch.ones(3))\n",
    "in what nothing calls": (
        "def f(a: int):\n    x = torch.ones(3)\n    if a == -1:\n        return x\n{chain}    return x\n"
    ),
    "in a model": (
        "class Net(nn.Module):\n  def forward(self, x, a: int):\n    if a == -1:\n        return x\n"
        "{chain}    return torch.relu(x)\n"
    ),
}


@pytest.mark.parametrize("ending", ["return torch.relu(x)", "raise ValueError(a)"])
@pytest.mark.parametrize("chain", CHAINS)
def test_alternatives_left_out_are_told(chain, ending):
    for count, is_cut in ((200, False), (400, True), (800, True)):
        alternatives = "".join(f"    elif a == {i}:\n        {ending}\n" for i in range(count))
        Path("main.py").write_text(HEAD + CHAINS[chain].format(chain=alternatives))
        found = [figures("main.py", cache=True) for _ in range(2)]
        assert [each.cut > 0 for each in found] == [is_cut] * 2
        assert ("cut short" in in_words(found[0])) is is_cut


def test_files_left_out_are_told():
    Path("main.py").write_text(HEAD)
    assert figures("main.py", settings={"max_file_size": 3}).skipped == 1


WORDS = {
    "Found no tensor code.": Figures(),
    "Followed shapes of all operations.": Figures(places=3, known=3),
    "Followed 1 model, shapes of 66 % of operations.": Figures(1, 1, 3, 2),
    "Followed 14 of 17 models, shapes of 99 % of operations.": Figures(17, 14, 1000, 999),
    "Followed 0 of 2 models, shapes of 0 % of operations; 1 file uses jax, which dllint does not know.": Figures(
        2, 0, 5, 0, {"jax": 1}
    ),
    "Found no tensor code; 3 files use mxnet, 2 flax and 2 jax, which dllint does not know.": Figures(
        foreign={"jax": 2, "flax": 2, "mxnet": 3, "theano": 1}
    ),
    "Followed shapes of all operations; 1 analysis was cut short; 2 files were left out; 1 analysis was ended by an error of "
    "dllint.": Figures(places=1, known=1, cut=1, skipped=2, failed=1),
}


@pytest.mark.parametrize("text", WORDS)
def test_in_words(text):
    assert in_words(WORDS[text]) == text


FAULTY = HEAD + "fc = nn.Linear(3, 2)\nx = torch.zeros(2, 4)\ny = fc(x)\nz = x.view(7)\n"


def broken(*_args, **_options):
    raise LookupError("a bug of ours")


@pytest.mark.parametrize("place", [(gate.Gate, "passes"), (trial.Trial, "_as_much_known"), (trial.Trial, "repairs")])
def test_a_fix_that_cannot_be_tried_costs_no_finding(place, monkeypatch):
    Path("main.py").write_text(FAULTY)
    monkeypatch.setattr(*place, broken)
    result = Session(Configuration(isolated=True)).check_file(Path("main.py"))
    assert [finding.code for finding in result.findings] == ["DLT101", "DLT105"]
    assert [notice.kind for notice in result.notices] == ["internal-error"]
    assert all(not finding.fixes for finding in result.findings)
    assert not total(figures_of([result])).is_whole


def test_a_finding_that_cannot_be_placed_costs_no_other(monkeypatch):
    Path("main.py").write_text(FAULTY)
    suppressed = refine._suppressed

    def picky(raw, *known):
        return broken() if raw.finding.code == "DLT101" else suppressed(raw, *known)

    monkeypatch.setattr(refine, "_suppressed", picky)
    result = Session(Configuration(isolated=True)).check_file(Path("main.py"))
    assert [finding.code for finding in result.findings] == ["DLT105"]
    assert "a finding could not be placed: LookupError" in result.notices[0].message

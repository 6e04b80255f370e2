"""Where findings stand when code calls code of other files: at what is wrong, in the file that holds it, once."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.baseline import Baseline
from dllint.engine.run import Plan, check_files
from dllint.finding import CALLED, INNER_PLACE, Finding

#: Code of another file with a fault (marked) that it brings about itself, and how it is called.
INSIDE = {
    "function": ("def work(x):\n    y = x[:, :4]\n    return y @ y  # here\n", "work(torch.zeros(2, 8))"),
    "helper": (
        "def narrow(x):\n    return x[:, :4]\n\n\ndef work(x):\n    y = narrow(x)\n    return y @ y  # here\n",
        "work(torch.zeros(2, 8))",
    ),
    "layers": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(8, 4)\n"
        "        self.b = nn.Linear(5, 2)\n\n    def forward(self, x):\n        return self.b(self.a(x))  # here\n",
        "Net()(torch.zeros(2, 8))",
    ),
    "made there": ("def work(n):\n    return torch.zeros(3).view(n, 7)  # here\n", "work(2)"),
    "method": (
        "class Tool:\n    def work(self, x):\n        y = x.t()\n        return y.view(3, 7)  # here\n",
        "Tool().work(torch.zeros(2, 8))",
    ),
}
#: The same, where everything that does not fit comes from the caller.
GIVEN = {
    "function": ("def work(x, y):\n    return x @ y  # here\n", "work(torch.zeros(2, 8), torch.zeros(3, 4))"),
    "layer": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 4)\n\n"
        "    def forward(self, x):\n        return self.a(x)  # here\n",
        "Net()(torch.zeros(2, 8))",
    ),
    "weight": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.w = nn.Parameter(torch.zeros(4, 4))\n\n"
        "    def forward(self, x):\n        return x @ self.w  # here\n",
        "Net()(torch.zeros(2, 8))",
    ),
    "passed on": (
        "def inner(x):\n    return x.view(7)  # here\n\n\ndef work(x):\n    return inner(x)\n",
        "work(torch.zeros(2, 8))",
    ),
}
#: How the checked file gets at it.
CALLS = {
    "top": "import torch\nfrom {module} import {name}\n\ny = {call}  # call\n",
    "function": "import torch\nfrom {module} import {name}\n\n\ndef main():\n    return {call}  # call\n\n\nmain()\n",
    "module": "import torch\nimport {module}\n\nif torch.zeros(1).sum() > 0:\n    y = {module}.{call}  # call\n",
}
PREFIX = "import torch\nfrom torch import nn\n\n\n"

inside = pytest.mark.parametrize(("fault", "call"), list(itertools.product(INSIDE, CALLS)))
given = pytest.mark.parametrize(("fault", "call"), list(itertools.product(GIVEN, CALLS)))


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(code: tuple[str, str], call: str, module: str = "net") -> None:
    """The two files of a case."""
    path = Path(*module.split(".")).with_suffix(".py")
    path.parent.mkdir(exist_ok=True)
    if path.parent != Path():
        (path.parent / "__init__.py").write_text("")
    path.write_text(PREFIX + code[0])
    name = code[1].partition("(")[0]
    Path("main.py").write_text(CALLS[call].format(module=module, name=name, call=code[1]))


def line_of(path: str, mark: str) -> int:
    return next(number for number, line in enumerate(Path(path).read_text().splitlines(), 1) if f"# {mark}" in line)


def check(*paths: str, cache: bool = False, **settings) -> list[Finding]:
    configuration = Configuration(isolated=True, overrides=settings)
    results = check_files([Path(path) for path in paths], Plan(configuration, jobs=1, cache=cache), lambda: None)
    return [finding for result in results for finding in result.findings]


def place(location) -> tuple[str, int]:
    return location.path.name, location.span.first.line


def chain(finding: Finding) -> list[tuple[str, int]]:
    return [place(related.location) for related in finding.related if related.message == CALLED]


@inside
def test_a_fault_stands_in_the_file_that_holds_it(fault, call):
    write(INSIDE[fault], call)
    (finding,) = check("main.py")
    assert place(finding.location) == ("net.py", line_of("net.py", "here"))
    assert ("main.py", line_of("main.py", "call")) in chain(finding)
    assert chain(finding)[-1][0] == "main.py"


@inside
@pytest.mark.parametrize("paths", list(itertools.permutations(("main.py", "net.py", "other.py"))))
def test_it_is_told_once_whatever_is_checked(fault, call, paths):
    write(INSIDE[fault], call)
    Path("other.py").write_text(Path("main.py").read_text())
    assert [place(finding.location) for finding in check(*paths)] == [("net.py", line_of("net.py", "here"))]


@given
def test_what_the_caller_alone_brings_about_stands_at_its_call(fault, call):
    write(GIVEN[fault], call)
    (finding,) = check("main.py", "net.py")
    assert place(finding.location) == ("main.py", line_of("main.py", "call"))
    assert finding.related[0].message == INNER_PLACE
    assert place(finding.related[0].location) == ("net.py", line_of("net.py", "here"))
    assert chain(finding) == []


def test_the_file_in_between_is_to_blame_for_what_it_made():
    write(GIVEN["function"], "top")
    Path("middle.py").write_text("import net\n\n\ndef between(x):\n    return net.work(x[:, :3], x)  # call\n")
    Path("main.py").write_text("import torch\nimport middle\n\nmiddle.between(torch.zeros(2, 8))  # start\n")
    (finding,) = check("main.py")
    assert place(finding.location) == ("middle.py", line_of("middle.py", "call"))
    assert chain(finding) == [("main.py", line_of("main.py", "start"))]
    assert finding.related[0].message == INNER_PLACE


@inside
def test_excluded_files_are_told_at_the_call(fault, call):
    write(INSIDE[fault], call, module="vendored.net")
    (finding,) = check("main.py", extend_exclude=("vendored",))
    assert place(finding.location) == ("main.py", line_of("main.py", "call"))
    assert finding.related[0].message == INNER_PLACE


@inside
@pytest.mark.parametrize("comment", ["here", "call", "file"])
def test_comments_suppress_it_at_its_place_and_at_the_call(fault, call, comment):
    write(INSIDE[fault], call)
    path = Path("main.py" if comment == "call" else "net.py")
    text = path.read_text().replace(f"# {comment}", "# dllint: ignore")
    path.write_text(f"# dllint: ignore-file\n{text}" if comment == "file" else text)
    assert check("main.py") == []


def test_the_settings_of_the_file_that_holds_it_count():
    write(INSIDE["function"], "top")
    assert check("main.py", per_file_ignores=(("net.py", ("DLT",)),)) == []
    assert len(check("main.py", per_file_ignores=(("other.py", ("DLT",)),))) == 1


def test_a_baseline_knows_it_by_the_line_that_holds_it():
    write(INSIDE["layers"], "function")
    configuration = Configuration(isolated=True)

    def results(*paths):
        return check_files([Path(path) for path in paths], Plan(configuration, jobs=1), lambda: None)

    for written in (("main.py",), ("main.py", "net.py")):
        baseline = Baseline(Path("baseline.json").absolute())
        baseline.update(results(*written))
        assert list(baseline.files) == ["net.py"]
        for checked in (("main.py",), ("net.py", "main.py")):
            assert (baseline.take(results(*checked)).hidden, baseline.take(results(*checked)).stale.total()) == (1, 0)
    baseline.update(results("main.py"))
    assert baseline.total == 1


@inside
def test_the_cache_tells_the_same(fault, call):
    write(INSIDE[fault], call)
    runs = [check("main.py", cache=True, cache_dir="kept") for _ in range(2)]
    assert runs[0] == runs[1] == check("main.py")
    Path("net.py").write_text("\n" + Path("net.py").read_text())
    (finding,) = check("main.py", cache=True, cache_dir="kept")
    assert place(finding.location) == ("net.py", line_of("net.py", "here"))


def test_a_method_that_a_class_inherits_from_another_file():
    write(INSIDE["layers"], "top")
    Path("main.py").write_text("from net import Net\n\n\nclass Own(Net):\n    pass\n")
    (finding,) = check("main.py")
    assert place(finding.location) == ("net.py", line_of("net.py", "here"))
    assert chain(finding) == [("main.py", 4)]

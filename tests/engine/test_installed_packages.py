"""Installed packages are followed in their source; what is wrong inside one is told at the user's call, as a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.engine.outside import BETWEEN
from dllint.engine.results import FileResult
from dllint.engine.session import Session
from dllint.finding import INNER_PLACE, Severity
from dllint.ir.program import Program

#: Ways in which a package gives a network of a width: its files, and how it is imported and made.
WAYS = {
    "class": ({"lib/__init__.py": "from lib.nets import Net\n", "lib/nets.py": "{net}"}, "import lib", "lib.Net({width})"),
    "star": (
        {"lib/__init__.py": "from .nets import *\n", "lib/nets.py": "__all__ = ['other']\n{net}"},
        "from lib import Net",
        "Net({width})",
    ),
    "namespace": ({"lib/inner/nets.py": "{net}"}, "from lib.inner import nets", "nets.Net({width})"),
    "single module": ({"lib.py": "{net}"}, "from lib import Net", "Net({width})"),
    "registry": (
        {
            "lib/__init__.py": "from .factory import create\n",
            "lib/factory.py": "_known = {{}}\n\n\ndef register(function):\n    _known[function.__name__] = function\n"
            "    return function\n\n\ndef create(name, **options):\n    if name not in _known:\n"
            "        raise RuntimeError(name)\n    return _known[name](**options)\n",
            "lib/nets.py": "from .factory import register\n{net}\n\n@register\ndef small(width):\n    return Net(width)\n",
        },
        "import lib",
        'lib.create("small", width={width})',
    ),
    "registry under a text": (
        {
            "lib/__init__.py": "from .factory import MODELS\n",
            "lib/factory.py": "class Registry:\n    def __init__(self):\n        self.known = {{}}\n\n"
            "    def register(self, name):\n        def keep(cls):\n            self.known[name] = cls\n"
            "            return cls\n\n        return keep\n\n    def build(self, name, width):\n"
            "        return self.known.get(name)(width)\n\n\nMODELS = Registry()\n",
            "lib/nets.py": 'from .factory import MODELS\nfrom torch import nn\n\n\n@MODELS.register("small-net")\n{rest}',
        },
        "from lib import MODELS",
        'MODELS.build("small-net", {width})',
    ),
}
REST = """\
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(width, 4)

    def forward(self, x):
        return self.apply_body(x)

    def apply_body(self, x):
        return self.body(x)
"""
NET = f"from torch import nn\n\n\n{REST}"
PROGRAM = "import torch\n{imports}\n\nnet = {made}\noutput = net(torch.zeros(2, 8))\nwrong = output @ torch.zeros(5, 5)\n"


def environment(folder: Path, files: dict[str, str]) -> Path:
    site = folder / "env" / "lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (folder / "env" / "pyvenv.cfg").write_text("home = /nowhere\n")
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    return folder / "env"


def checked(folder: Path, files: dict[str, str], text: str) -> tuple[FileResult, Program]:
    project = folder / "project"
    project.mkdir(exist_ok=True)
    path = project / "a.py"
    path.write_text(text)
    named = Environments(str(environment(folder, files)))
    session = Session(Configuration(isolated=True, root=project, environments=named), remember=True)
    result = session.check_file(path)
    assert not result.notices
    analysis = session.analyser(path).analyse(session.tracer(session.configuration.for_file(path)).open(path, text, "utf-8"))
    return result, analysis.programs[0]


def written(way: str, width: int) -> tuple[dict[str, str], str]:
    files, imports, made = WAYS[way]
    texts = {name: text.format(net=NET, rest=REST) for name, text in files.items()}
    return texts, PROGRAM.format(imports=imports, made=made.format(width=width))


@pytest.mark.parametrize("way", WAYS)
def test_what_a_package_computes_is_known(tmp_path, way):
    result, _ = checked(tmp_path, *written(way, 8))
    (finding,) = result.findings
    assert finding.severity is Severity.ERROR
    assert "(2, 4)" in finding.message
    assert finding.location.span.first.line == 6


@pytest.mark.parametrize("way", WAYS)
def test_what_is_wrong_inside_is_told_at_the_call_as_a_warning(tmp_path, way):
    result, _ = checked(tmp_path, *written(way, 9))
    (finding, *others) = result.findings
    assert (finding.code, finding.severity) == ("DLT101", Severity.WARNING)
    assert finding.location.path == tmp_path / "project" / "a.py"
    assert finding.location.span.first.line == 5
    messages = [related.message for related in finding.related]
    assert messages[:2] == [INNER_PLACE, BETWEEN]
    assert all("site-packages" in str(related.location.path) for related in finding.related[:2])
    assert [other.location.span.first.line for other in others] == [6]
    assert all(edit.path == finding.location.path for fix in finding.fixes for edit in fix.edits)


#: Packages with a fault of their own, which nothing that is passed brings about, and calls of them.
OF_THEIR_OWN = {
    "made inside": ("import torch\n\n\ndef work(n):\n    return torch.zeros(2, 3) @ torch.zeros(2, 3)\n", "lib.work(3)"),
    "at the top": ("import torch\n\nSIZE = torch.zeros(2, 3).view(7)\n\n\ndef work():\n    return SIZE\n", "lib.work()"),
    "a condition": (
        "import os\nimport torch\n\n\ndef work(x):\n    if os.environ.get('A'):\n        return x @ x\n    return x\n",
        "lib.work(torch.zeros(2, 3))",
    ),
    "no shape": (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        return torch.log(torch.softmax(x, 0))\n",
        "lib.Net()(torch.zeros(2, 3))",
    ),
}


@pytest.mark.parametrize("kind", OF_THEIR_OWN)
def test_faults_of_the_package_itself_are_nobodys(tmp_path, kind):
    text, call = OF_THEIR_OWN[kind]
    result, _ = checked(tmp_path, {"lib/__init__.py": text}, f"import torch\nimport lib\n\n{call}\n")
    assert not result.findings


def test_invented_arguments_prove_nothing_inside(tmp_path):
    files, _ = written("class", 9)
    text = (
        "import torch\nimport lib\n\n\nclass Own(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.net = lib.Net(9)\n\n    def forward(self, x: torch.Tensor):\n        return self.net(x.view(-1, 8))\n"
    )
    result, _ = checked(tmp_path, files, text)
    assert not [finding for finding in result.findings if finding.severity in (Severity.ERROR, Severity.WARNING)]


@pytest.mark.parametrize("name", ["torch", "numpy", "keras", "tqdm", "matplotlib"])
def test_what_tables_describe_is_not_read(tmp_path, name):
    files = {f"{name}/__init__.py": "def zeros(*sizes):\n    return None\n"}
    text = f"import torch\nimport {name}\n\nx = {name}.zeros(2, 8)\ny = torch.zeros(2, 8)\nz = y @ y\n"
    (finding,) = checked(tmp_path, files, text)[0].findings
    assert finding.location.span.first.line == 6


def test_a_package_takes_no_fuel_from_the_program(tmp_path):
    work = "def work(x):\n    for i in range(100000):\n        for j in range(1000):\n            x = x + i * j\n    return x\n"
    text = "import torch\nimport lib\n\nlib.work(torch.zeros(2, 3))\ny = torch.zeros(2, 3)\nz = y @ y\n"
    result, program = checked(tmp_path, {"lib/__init__.py": work}, text)
    assert [finding.location.span.first.line for finding in result.findings] == [6]
    assert len(program.ops) < 20_000


#: What packages ask of Python before they make a network, each true where a run would find it so.
ASKED = {
    "a variable that is not set": "os.environ.get('LIB_FAST', 'no') == 'no'",
    "a variable without a default": "os.getenv('LIB_FAST') is None",
    "the fields of a record": "'depth' in Block(1).__dataclass_fields__",
    "the fields of its class": "'other' not in Block.__dataclass_fields__",
    "whether a record is a sequence": "not isinstance(Block(1), Sequence)",
    "whether a module is a mapping": "not isinstance(Net(1), Mapping)",
    "whether a tuple of records is one": "isinstance((Block(1),), Sequence)",
    "an argument that a layer lacks": "made(nn.AvgPool2d).kernel_size == 2",
}
ASKING = """\
import os
from dataclasses import dataclass
from typing import Mapping, Sequence

{net}

@dataclass
class Block:
    depth: int


def made(layer):
    try:
        return layer(channels=3, stride=2)
    except TypeError:
        return layer(2)


def create(width):
    return Net(width) if {asked} else None
"""


@pytest.mark.parametrize("kind", ASKED)
def test_what_packages_ask_of_python_is_decided(tmp_path, kind):
    text = PROGRAM.format(imports="import lib", made="lib.create(8)")
    result, _ = checked(tmp_path, {"lib.py": ASKING.format(net=NET, asked=ASKED[kind])}, text)
    (finding,) = result.findings
    assert (finding.severity, finding.location.span.first.line) == (Severity.ERROR, 6)


def test_a_variable_that_the_program_sets_is_not_known(tmp_path):
    text = "import os\n" + PROGRAM.format(imports="import lib", made="lib.create(8)") + "os.environ['LIB_FAST'] = 'yes'\n"
    asked = ASKED["a variable that is not set"]
    result, _ = checked(tmp_path, {"lib.py": ASKING.format(net=NET, asked=asked)}, text)
    assert not [finding for finding in result.findings if finding.severity is Severity.ERROR]

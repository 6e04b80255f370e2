"""Edits of documents whose steps cannot all be recorded, are cut short, or use modules that use the document: after any of them
the programs are those of a fresh start, and no edit makes all of a document be executed again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import libcst as cst
import pytest

from dllint.config.options import Settings
from dllint.engine.analysis import Traced
from dllint.engine.tracing import Tracer
from dllint.ir.printer import Printer
from dllint.lower.dispatch import EVALUATE
from dllint.source.document import Document

BLOCK = """\
class Block(nn.Module):
    def __init__(self, dim={n}, ratio=2):
        super().__init__()
        self.fc = nn.Linear(dim, dim * ratio)

    def forward(self, x):
        return self.fc(x * {n})
"""
NET = """\
class Net(nn.Module):
    def __init__(self, width={n}):
        super().__init__()
        self.block = Block(width)
        self.head = nn.Linear({n}, 4)

    def forward(self, x):
        return self.head(self.block(x))
"""
#: Statements of every program. ``{n}`` is a small number.
USUAL = (
    BLOCK,
    NET,
    "WIDTH = {n}\n",
    "def helper(x):\n    return x * {n}\n",
    "def evaluate(x):\n    return helper(torch.relu(x)) + {n}\n",
    "y = torch.zeros({n}, WIDTH).reshape(-1)\n",
    "print(Net({n})(torch.zeros(2, {n})))\n",
    "class Other(nn.Module):\n    def forward(self, x):\n        return x.flatten({n}) * WIDTH\n",
)
#: Statements under conditions that nobody knows.
CONDITIONS = (
    "ddp = bool(os.environ.get('RANK{n}'))\n",
    "if ddp:\n    WIDTH = {n}\n    import math\nelse:\n    from torch import nn\n",
    "if ddp:\n    raise ValueError({n})\n",
    "if not ddp:\n    def helper(x):\n        return x.reshape(-1, {n})\n",
    "assert WIDTH % int(os.environ.get('WORLD_SIZE', 1)) == {n}\n",
    "if WIDTH == int(input()):\n    raise SystemExit\n",
    "size = {n} if ddp else WIDTH\n",
    "while ddp:\n    WIDTH += {n}\n    break\n",
    "try:\n    import apex{n}\n    WIDTH = {n}\nexcept ImportError:\n    apex = None\n",
    "z = torch.ones(WIDTH, 3) if ddp else torch.ones({n}, 3)\n",
    "config = {{k: v for k, v in globals().items() if isinstance(v, int)}}\n",
    "y += {n}\ny.add_({n})\n",
)
#: Imports in a circle: modules that use the document while it uses them.
CIRCLES = (
    "from pkg import helpers\n",
    "from pkg.helpers import made, Wrapped\n",
    "from pkg.registry import register, NAMES, KINDS\n",
    "from pkg import late\n",
    "out{n} = helpers.apply(torch.zeros(2, {n}))\n",
    "print(Wrapped()(torch.zeros(2, {n})))\n",
    "print(late.through(torch.ones({n})), late.LIMIT)\n",
    "class Lazy(nn.Module):\n    def forward(self, x):\n        from pkg.helpers import apply\n        return apply(x) + {n}\n",
    "@register\ndef model{n}(**kwargs):\n    return Net(**kwargs)\n",
    "def wrapped(x):\n    from pkg.helpers import Wrapped\n    return Wrapped()(x.reshape(-1, {n})), NAMES, KINDS\n",
    "import pkg.again\n",
    "print(pkg.again.SEEN, pkg.again.size({n}))\n",
)
STARS = (
    "from pkg.names import *\n",
    "from pkg.more import *\n",
    "from torch.nn.functional import *\n",
    "from torch.nn import *\n",
    "w = relu(torch.zeros({n}, WIDE))\n",
    "class Starred(Module):\n    def forward(self, x):\n        return gelu(x) * narrow({n})\n",
    "def use(x):\n    return scaled(x).reshape(WIDE, {n})\n",
)
FAILURES = (
    "broken = {{item for item in ({n},)}}\n",
    "def failing(x):\n    y = x * {n}\n    kept = {{item for item in (1,)}}\n    return y\n",
    "print(failing(torch.zeros({n})))\n",
    "from pkg.failing import LIMIT, value\n",
    "s = torch.zeros(LIMIT).reshape({n})\n",
)
LONG = (
    "def long(x):\n    for i in range({n}0):\n        x = x * i + {n}\n        x = torch.relu(x)\n    return x\n",
    "def longer(x):\n    for i in range({n}0):\n        x = helper(x)\n    return x.reshape({n})\n",
    "from pkg.many import a1, a2\n",
    "print(a1 + {n}, torch.zeros(a2))\n",
    "from pkg.many import a3, a4\n",
    "t = torch.zeros(a3, a4)\n",
)
#: What a library keeps for the whole program, and what it reads in the whole text.
SETTINGS = (
    "import keras\n",
    "keras.backend.set_image_data_format('channels_first')\n",
    "k{n} = keras.layers.Conv2D({n}, 3)(keras.Input((3, 8, 8)))\n",
    "def images(x):\n    return keras.layers.Conv2D({n}, 3, data_format='channels_first')(keras.Input((8, 8, 3)))\n",
    "keras.backend.set_image_data_format('channels_last')\n",
    "def pooled(x):\n    return keras.layers.MaxPooling2D({n})(keras.Input((8, 8, 3)))\n",
    "k = keras.layers.Dense(output_dim={n}, input_dim=4)\n",
    "class Choice(nn.Module):\n    def __init__(self, wide=True):\n        super().__init__()\n"
    "        if wide:\n            self.fc = nn.Linear({n}, 4)\n        else:\n            self.fc = nn.Linear({n}, 5)\n"
    "    def forward(self, x):\n        return self.fc(x)\n",
    "chosen = Choice()\n",
)
POOLS = {
    "conditions": CONDITIONS,
    "circles": CIRCLES,
    "stars": STARS,
    "failures": FAILURES,
    "limits": LONG,
    "settings": SETTINGS,
}
HEAD = "import os\nimport torch\nfrom torch import nn\n"
PACKAGE = {
    "__init__.py": "from .model import *\nfrom . import helpers\n",
    "helpers.py": """\
import torch
from torch import nn
from .model import Block, helper
from .registry import tag
from . import names

made = Block(3)


def apply(x, block=Block):
    return helper(x) * names.WIDE


@tag
class Wrapped(Block):
    def forward(self, x):
        return super().forward(x) + 1
""",
    "late.py": """\
from . import model
from .helpers import apply

LIMIT = getattr(model, 'WIDTH', 0)


def through(x):
    return apply(model.helper(x))
""",
    "registry.py": """\
NAMES = []
KINDS = set()


def register(fn):
    NAMES.append(fn.__name__)
    return fn


def tag(cls):
    KINDS.add(cls)
    return cls
""",
    "again.py": """\
from .model import *
from .late import LIMIT

SEEN = LIMIT


def size(n):
    return WIDTH + n
""",
    "names.py": "import torch\nWIDE = 6\n\n\ndef narrow(n):\n    return n + WIDE\n\n\ndef scaled(x):\n    return x * WIDE\n",
    "more.py": "from .names import *\nfrom torch.nn import *\nTHIN = WIDE\n",
    "failing.py": "LIMIT = 4\nvalue = {item for item in (1,)}\n",
    "many.py": "\n".join(f"from .part{n} import value as a{n}" for n in range(1, 5)) + "\n",
    **{f"part{n}.py": f"value = 0\nfor i in range({n}):\n    value += i\n" for n in range(1, 5)},
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pkg"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def _a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_m: object, _node: object) -> Any:
        raise ZeroDivisionError("ours")

    monkeypatch.setitem(EVALUATE, cst.SetComp, fail)


def written(template: str, random: Random) -> str:
    return template.replace("{n}", str(random.randrange(1, 6))).replace("{{", "{").replace("}}", "}")


def program(pool: tuple[str, ...], random: Random) -> list[str]:
    """The statements of a document with some of a pool among the usual ones, most in a sensible order."""
    statements = [*USUAL, *random.sample(pool, k=min(len(pool), random.randrange(3, 9)))]
    order = {template: number for number, template in enumerate((*pool[:5], *USUAL, *pool[5:]))}
    statements.sort(key=order.__getitem__)
    if random.random() < 0.4:
        random.shuffle(statements)
    return [written(template, random) for template in statements]


def edited(statements: list[str], pool: tuple[str, ...], random: Random) -> list[str]:
    """The statements after one edit."""
    out, place = list(statements), random.randrange(len(statements))
    kind = random.randrange(6)
    if kind == 0:
        del out[place]
    elif kind == 1:
        out.insert(place, written(random.choice((*pool, *pool, *USUAL)), random))
    elif kind == 2:
        out.insert(random.randrange(len(out)), out.pop(place))
    elif kind == 3:
        out[place] = f"# a comment\n{out[place]}"
    else:
        out[place] = written(random.choice((*pool, *USUAL)), random) if kind == 4 else changed(out[place], random)
    return out or ["import torch\n"]


def changed(statement: str, random: Random) -> str:
    """A statement with another number in it."""
    places = [number for number, character in enumerate(statement) if character in "123456789"]
    if not places:
        return statement
    place = random.choice(places)
    return f"{statement[:place]}{random.randrange(1, 7)}{statement[place + 1 :]}"


def shown(traced: Traced) -> list[object]:
    programs = [*traced.programs, *traced.settings]
    texts = [(Printer(with_events=True).program(p), [(gap[0], gap[1]) for gap in p.gaps]) for p in programs]
    return [*texts, *traced.notices, traced.cut]


def tracer(package: Path, **limits: int) -> Tracer:
    made = Tracer(Settings(root=package.parent))
    made._options = replace(made._options, **limits)
    return made


def check(package: Path, pool: tuple[str, ...], seed: int, **limits: int) -> None:
    random = Random(seed)
    editor = tracer(package, **limits)
    first = statements = program(pool, random)
    document = Document.from_text(package / "model.py", HEAD + "".join(statements))
    for _ in range(12):
        (package / "model.py").write_text(document.text)
        fresh = tracer(package, **limits).trace_apart(Document.from_text(document.path, document.text))
        assert shown(editor.trace(document)) == shown(fresh), document.text
        statements = edited(first if random.random() < 0.2 else statements, pool, random)
        document = document.edit(HEAD + "".join(statements))


@pytest.mark.usefixtures("_a_fault_of_ours")
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pool", [*POOLS, "all"])
def test_after_any_edits_the_programs_are_those_of_a_fresh_start(package, pool, seed):
    check(package, POOLS[pool] if pool in POOLS else tuple(s for pool in POOLS.values() for s in pool), seed)


LIMITS = {
    "fuel": {"fuel": 150},
    "total fuel": {"least_fuel": 100, "fuel_per_line": 1},
    "fuel for an import": {"import_fuel": 3},
    "fuel for all imports": {"import_fuel": 6, "total_import_fuel": 20},
    "modules": {"imported_modules": 4},
    "star imports": {"star_imports": 1},
}


@pytest.mark.usefixtures("_a_fault_of_ours")
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("limit", LIMITS)
def test_so_they_are_where_limits_cut_something_short(package, limit, seed):
    check(package, (*LONG, *STARS, *CIRCLES[:7]), seed, **LIMITS[limit])


#: Statements that once made the next analysis of the whole document start anew.
CAUSES = {
    "a circle": ("from pkg.helpers import Wrapped\n", "def wrapped(x):\n    return Wrapped()(x)\n"),
    "a condition": ("ddp = bool(os.environ.get('RANK'))\n", "if ddp:\n    raise ValueError\n", "assert len(os.environ) == 3\n"),
    "a star import": ("from torch.nn.functional import *\n", "def use(x):\n    return relu(x)\n"),
    "a failure": ("def failing(x):\n    return {item for item in (1,)}\n",),
    "a look at all names": ("config = {k: v for k, v in globals().items() if isinstance(v, int)}\n",),
}


@pytest.mark.usefixtures("_a_fault_of_ours")
@pytest.mark.parametrize("cause", CAUSES)
def test_an_edit_executes_what_it_concerns(package, cause):
    usual = [statement.replace("{n}", "3") for statement in USUAL]
    texts = [HEAD + "".join([*usual[:4], *CAUSES[cause], *usual[4:]]).replace("+ 3", f"+ {number}") for number in range(3, 8)]
    editor, document = tracer(package), Document.from_text(package / "model.py", texts[0])
    editor.trace(document)
    for text in texts[1:]:
        document = document.edit(text)
        editor.trace(document)
        work = editor.work(document.path)
        assert work is not None
        assert work.executed <= 2 + cause.count("failure")  # the definition, what runs it, and what fails
        assert work.steps > 13

"""Where a value is given: the same rate behind every way of writing settings down, and values that have no single origin."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.origins import origin

#: Programs whose call of ``use`` gets 0.25; the literal stands once in each.
FOLLOWED = {
    "literal": "use(0.25)",
    "name": "{name} = 0.25\nuse({name})",
    "annotated": "{name}: float = 0.25\nuse({name})",
    "constant in a function": "{name} = 0.25\ndef build():\n    return use({name})",
    "two names": "{name} = 0.25\nother = {name}\nuse(other)",
    "option": 'p = ArgumentParser()\np.add_argument("--{name}", type=float, default=0.25)\na = p.parse_args()\nuse(a.{name})',
    "short option": 'p.add_argument("-x", "--{name}", default=0.25)\nuse(args.{name})',
    "option under another name": 'p.add_argument("--other", dest="{name}", default=0.25)\nuse(args.{name})',
    "options as a dictionary": 'p.add_argument("--{name}", default=0.25)\na = vars(p.parse_args())\nuse(a["{name}"])',
    "data class": "@dataclass\nclass Config:\n    {name}: float = 0.25\ndef build(c):\n    use(c.{name})",
    "named tuple": "class Config(NamedTuple):\n    {name}: float = 0.25\nuse(Config().{name})",
    "given to a data class": "class Config:\n    {name}: float = 0.5\nc = Config({name}=0.25)\nuse(c.{name})",
    "class attribute": "class Config:\n    {name} = 0.25\nuse(Config.{name})",
    "dictionary": 'S = {{"{name}": 0.25}}\nuse(S["{name}"])',
    "dictionary in a dictionary": 'S = {{"optimizer": {{"{name}": 0.25}}}}\nuse(S["optimizer"]["{name}"])',
    "dict call": 'S = dict({name}=0.25)\nuse(S["{name}"])',
    "namespace": "S = SimpleNamespace({name}=0.25)\nuse(S.{name})",
    "get": 'S = {{"{name}": 0.25}}\nuse(S.get("{name}", 0.5))',
    "default of get": 'use(settings.get("{name}", 0.25))',
    "default of a parameter": "def build({name}=0.25):\n    use({name})",
    "keyword-only parameter": "def build(*, {name}=0.25):\n    use({name})\nbuild()",
    "argument": "def build(model, {name}):\n    use({name})\nbuild(net, 0.25)",
    "named argument": "def build({name}=0.5):\n    use({name})\nbuild({name}=0.25)",
    "argument of arguments": "def inner({name}):\n    use({name})\ndef outer(r):\n    inner(r)\nouter(0.25)",
    "attribute": (
        "class T:\n    def __init__(self, r=0.25):\n        self.{name} = r\n    def build(self):\n        use(self.{name})"
    ),
    "attribute given to the class": (
        "class T:\n    def __init__(self, r):\n        self.{name} = r\n    def build(self):\n        use(self.{name})\nT(0.25)"
    ),
    "attributes at once": (
        "class T:\n    def __init__(self):\n        self.a, self.{name} = 1, 0.25\n"
        "    def build(self):\n        use(self.{name})"
    ),
    "hyperparameters": (
        "class T:\n    def __init__(self, {name}):\n        self.save_hyperparameters()\n"
        "    def build(self):\n        use(self.hparams.{name})\nH = dict({name}=0.25)\nT(**H)"
    ),
    "conversion": 'p.add_argument("--{name}", default=0.25)\nuse(float(args.{name}))',
}
#: Programs in which no single literal gives the value.
LEFT = {
    "computed": "{name} = draw()\nuse({name})",
    "assigned twice": "{name} = 0.25\n{name} = 0.5\nuse({name})",
    "changed": "{name} = 0.25\n{name} *= 2\nuse({name})",
    "loop": "for {name} in (0.25, 0.5):\n    use({name})",
    "two calls": "def build({name}):\n    use({name})\nbuild(0.25)\nbuild(0.5)",
    "two options": 'p.add_argument("--{name}", default=0.25)\nq.add_argument("--{name}", default=0.5)\nuse(args.{name})',
    "two dictionaries": 'A = {{"{name}": 0.25}}\nB = {{"{name}": 0.5}}\nuse(A["{name}"])',
    "option without a default": 'p.add_argument("--{name}", type=float)\nuse(args.{name})',
    "parameter without a call": "def build({name}):\n    use({name})",
    "product": "{name} = 0.25\nuse({name} * 2)",
    "itself": "{name} = {name}\nuse({name})",
    "read from a file": 'S = load("settings.yaml")\nuse(S["{name}"])',
    "attribute that changes": (
        "class T:\n    def __init__(self):\n        self.{name} = 0.25\n    def step(self):\n        self.{name} *= 0.5\n"
        "        use(self.{name})"
    ),
}


def found(text, command=()):
    code = Code(Path("train.py"), text)
    call = next(call for call in code.calls() if isinstance(call.func, ast.Name) and call.func.id == "use")
    return origin([code], code, call.args[0], command)


@pytest.mark.parametrize("name", ["rate", "drop_share"])
@pytest.mark.parametrize("way", FOLLOWED)
def test_the_literal_is_found(way, name):
    given = found(FOLLOWED[way].format(name=name))

    assert given is not None
    assert given.node.value == 0.25


@pytest.mark.parametrize("way", LEFT)
def test_a_value_without_a_single_origin_is_left(way):
    assert found(LEFT[way].format(name="rate")) is None


@pytest.mark.parametrize("word", ["--rate", "--rate=1", "--ra", "-r"])
def test_an_option_on_the_command_line_is_left(word):
    text = 'p.add_argument("-r", "--rate", default=0.25)\nuse(args.rate)'

    assert found(text, ("train.py", word, "1")) is None
    assert found(text, ("train.py", "--epochs", "1")) is not None


def test_a_dashed_option_is_found():
    given = found('p.add_argument("--weight-decay", default=0.25)\nuse(args.weight_decay)')

    assert given is not None
    assert given.node.value == 0.25


def test_a_value_of_another_file_is_found():
    settings = Code(Path("settings.py"), "RATE = 0.25\n")
    train = Code(Path("train.py"), "from settings import RATE\nuse(RATE)\n")
    call = next(train.calls())
    given = origin([train, settings], train, call.args[0])

    assert given is not None
    assert given.code is settings

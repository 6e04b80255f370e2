"""Constructions of a class in other files: what is found in their text, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.source.constructions import UNTOLD, Constructions


def found(tmp_path: Path, text: str, name: str = "train.py"):
    """Arguments of the construction of ``Net`` that a file beside its module (``net.py``) holds."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text("class Net:\n    pass\n\nNet(0)\n")
    (tmp_path / name).write_text(text)
    construction = Constructions().of(tmp_path / "pkg" / "net.py", "Net")
    return None if construction is None else (construction.args, dict(construction.kwargs))


@pytest.mark.parametrize(
    "head",
    [
        "from pkg.net import Net\n",
        "from pkg.net import (\n    Other,\n    Net,\n)\n",
        "from .net import Other, Net\n",
        "    from net import Net  # late\n",
    ],
)
def test_forms_of_imports(tmp_path, head):
    assert found(tmp_path, head + "model = Net(3, deep=True)\n") == ((3,), {"deep": True})


def test_through_the_module(tmp_path):
    assert found(tmp_path, "from pkg import net\nmodel = net.Net(3)\n") == ((3,), {})


def test_beside_the_module(tmp_path):
    assert found(tmp_path, "from .net import Net\nNet([1, (2, 'a')])\n", "pkg/use.py") == (([1, (2, "a")],), {})


def test_constants_and_comments(tmp_path):
    call = "Net(\n    WIDTH,  # ) not here\n    name='a)',\n)\n"
    text = f"from pkg.net import Net\nWIDTH = 32  # wide\nmodel = {call}"
    assert found(tmp_path, text) == ((32,), {"name": "a)"})


@pytest.mark.parametrize(
    "text",
    [
        "from pkg.other import Net\nNet(3)\n",
        "from pkg.net import Other\nNet(3)\n",
        "from pkg.net import Net\nclass Net(Base):\n    pass\nNet(3)\n",
        "from pkg.net import Net\nNet(width)\n",
        "from pkg.net import Net\nWIDTH = 3\nWIDTH = 4\nNet(WIDTH)\n",
        "from pkg.net import Net\nWIDTH = read()\nNet(WIDTH)\n",
        "from pkg.net import Net\nNet(**config)\n",
        "from pkg.net import Net\nNet(*sizes)\n",
        "from pkg.net import Net\nNet(3",
        "import os\n'Net(3)'\n",
    ],
)
def test_what_is_left_alone(tmp_path, text):
    assert found(tmp_path, text) is None


def test_a_later_call_that_tells_its_arguments(tmp_path):
    assert found(tmp_path, "from pkg.net import Net\nNet(width)\nNet(4)\n") == ((4,), {})


# --- what is likely passed --------------------------------------------------------------------------------------------------

#: Ways in which code gives a value to an argument: the text before the call, and the argument.
GIVEN = {
    "a literal": ("", "{value}"),
    "a constant": ("SIZE = {value}\n", "SIZE"),
    "a local": ("def build():\n    size = {value}\n", "size"),
    "an option": ("p.add_argument('--size', type=int, default={value})\n", "args.size"),
    "a dashed option": ("p.add_argument('-s', '--my-size', help='a (b)', default={value})\n", "opt.my_size"),
    "nothing known": ("def build(size):\n", "size * 2"),
    "two of a name": ("size = 1\nsize = 2\n", "size"),
    "two options": ("p.add_argument('--size', default=1)\nq.add_argument('--size', default=2)\n", "args.size"),
    "no default": ("p.add_argument('--size', type=int)\n", "args.size"),
}
UNKNOWN = {"nothing known", "two of a name", "two options", "no default"}
#: Files that may hold the call, and how it stands in them.
PLACES = {
    "pkg/train.py": "from .net import Net\n{before}model = Net({arguments})\n",
    "run.py": "from pkg.net import Net\n{before}    model = Net({arguments})\n",
    "tests/test_net.py": "from pkg.net import Net\n{before}    model = Net({arguments})\n",
    "examples/use.py": "from pkg import net\n{before}    model = net.Net({arguments})\n",
    "README.md": "# Net\n\nNet(99)\n\n```python\nfrom pkg.net import Net\n{before}model = Net({arguments})\n```\n",
}
MODULE = "class Net:\n    pass\n"


def likely(root: Path):
    construction = Constructions().likely(root / "pkg" / "net.py", "Net", root)
    if construction is None:
        return None
    told = {name: value for name, value in construction.kwargs.items() if value is not UNTOLD}
    return tuple(value if value is not UNTOLD else None for value in construction.args), told


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", GIVEN)
def test_what_code_and_texts_likely_pass(tmp_path, place, way):
    before, argument = GIVEN[way]
    for number, value in enumerate((7, [3, 4], "relu", True)):
        root = tmp_path / str(number)
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / "pkg").mkdir(exist_ok=True)
        (root / "pkg" / "net.py").write_text(MODULE)
        arguments = f"5, size={argument.format(value=repr(value))}"
        (root / place).write_text(PLACES[place].format(before=before.format(value=repr(value)), arguments=arguments))
        assert likely(root) == ((5,), {} if way in UNKNOWN else {"size": value})


def test_of_several_the_one_that_tells_most_counts(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text(MODULE)
    (tmp_path / "README.md").write_text("```python\nNet(a, b, 3, k=1)\n```\n")
    assert likely(tmp_path) == ((None, None, 3), {"k": 1})
    (tmp_path / "use.py").write_text("from pkg.net import Net\nNet(1, 2, 3, k=x)\n")
    assert likely(tmp_path) == ((1, 2, 3), {})


@pytest.mark.parametrize(
    "text",
    [
        "```python\nother.Net(3)\n```\n",
        "```python\n# Net(3)\n```\n",
        "```python\nclass Net(Base):\n    pass\n```\n",
        "```python\nNet(*sizes)\n```\n",
        "```bash\nNet(3)\n```\n",
        "```python\nNet(a, b)\n```\n",
        "```python\nNet(3\n",
        "Net(3)\n",
    ],
)
def test_what_tells_nothing_in_a_readme(tmp_path, text):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text(MODULE)
    (tmp_path / "README.md").write_text(text)
    assert likely(tmp_path) is None


def test_examples_in_a_docstring(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text(
        'class Net:\n    """A net.\n\n    >>> width = 4\n    >>> net = Net(width, 2)\n    """\n'
    )
    assert likely(tmp_path) == ((4, 2), {})

"""What the top level of an imported module does to its objects is done before they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.source.outline import outline
from tests.rules.training.variants import found

PARSER = "import argparse\nparser = argparse.ArgumentParser()\n"
READ = "parser.parse_args().kind == 'wide'"
NAMESPACE = "from types import SimpleNamespace\ncfg = SimpleNamespace(width=3, inner=SimpleNamespace(width=3))\n"
MODULES = [
    (PARSER + "parser.add_argument('--kind', type=str, default='wide')", READ),
    (PARSER + "parser.add_argument('--kind', default='narrow')\nparser.set_defaults(kind='wide')", READ),
    (PARSER + "group = parser.add_argument_group('g')\ngroup.add_argument('--kind', default='wide')", READ),
    (PARSER + "parser.add_argument_group('g').add_argument('--kind', default='wide')", READ),
    (PARSER + "for name in ['--kind']:\n    parser.add_argument(name, default='wide')", READ),
    (PARSER + "parser.add_argument('--kind', default='wide')\nargs = parser.parse_args()", "args.kind == 'wide'"),
    (PARSER + "parser.add_argument('--kind', default='wide')\ndef read():\n    return parser.parse_args()",
     "read().kind == 'wide'"),
    (NAMESPACE + "cfg.width = 5", "cfg.width == 5"),
    (NAMESPACE + "cfg.inner.width = 5", "cfg.inner.width == 5"),
    (NAMESPACE + "inner = cfg.inner\ninner.width = 5", "cfg.inner.width == 5"),
    (NAMESPACE + "cfg.width += 2", "cfg.width == 5"),
    ("cfg = [3]\ncfg.insert(0, 5)", "cfg[0] == 5"),
    ("cfg = {'a': {'b': 3}}\ncfg['a']['b'] = 5", "cfg['a']['b'] == 5"),
    ("cfg = {}\ncfg.setdefault('a', 5)", "cfg['a'] == 5"),
]  # fmt: skip
PROGRAM = """import torch
from settings import {name}

if {test}:
    torch.nn.Linear({width}, 2)(torch.zeros(4, 5))
else:
    torch.nn.Linear({other}, 2)(torch.zeros(4, 5))
"""


@pytest.mark.parametrize(("module", "test"), MODULES)
def test_changes_of_an_imported_object_are_seen(module: str, test: str, tmp_path: Path) -> None:
    name = test.partition(".")[0].partition("[")[0].partition("(")[0]
    for width, other, expected in ((5, 6, []), (6, 5, ["DLT101"])):
        program = PROGRAM.format(name=name, test=test, width=width, other=other)
        assert found({"main.py": program, "settings.py": module + "\n"}, tmp_path, ["DLT101"]) == expected


def test_libraries_are_not_objects_of_the_module() -> None:
    """Asking for one name does not run every statement that calls something of a library."""
    entries = outline(
        "import torch\nfrom other import cfg\nwidth = 5\ntorch.manual_seed(0)\ncfg.width = 3\nwidth.bit_length()\n"
    )
    assert [entry.names for entry in entries or ()] == [("torch",), ("cfg",), ("width",), (), (), ("width",)]

"""Imports of a project that is checked from another directory are found, as they are from its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

NET = """from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
"""
RUN = "import torch\nfrom {module} import Net\n\nprint(Net()(torch.randn(4, 9)))\n"
#: Where the class stands, and the module that the script below ``scripts`` imports.
LAYOUTS = {
    "src/models/net.py": "src.models.net",
    "models/net.py": "models.net",
    "net.py": "net",
    "src/net.py": "net",
}


@pytest.mark.parametrize("where", LAYOUTS)
@pytest.mark.parametrize("named", ["project", "project/", "../elsewhere/project"])
def test_imports_of_a_project_elsewhere(
    where: str, named: str, project: Path, dllint: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, home = project / "elsewhere" / "project", project / "home"
    for path, text in ((where, NET), ("scripts/deep/run.py", RUN.format(module=LAYOUTS[where]))):
        (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / path).write_text(text, encoding="utf-8")
    home.mkdir()
    for directory, asked in ((elsewhere, "."), (home, named if named.startswith("..") else str(elsewhere.parent / named))):
        monkeypatch.chdir(directory)
        found = json.loads(dllint("check", "--no-cache", "--output-format", "json", asked).out)
        assert [one["code"] for one in found] == ["DLT101"]

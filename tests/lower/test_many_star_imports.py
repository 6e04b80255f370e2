"""Packages that hand on the names of each of their modules by star imports."""

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MODEL = """
from torch import nn


class Net{number}(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear({number}, 2)

    def forward(self, x):
        return self.layer(x)
"""


@pytest.mark.parametrize("modules", [3, 17, 30])
@pytest.mark.parametrize("chosen", [0, 1], ids=["first", "last"])
def test_a_model_of_any_module_of_a_package_is_found(tmp_path, modules, chosen):
    package = tmp_path / "models"
    package.mkdir()
    number = (1, modules)[chosen]
    for each in range(1, modules + 1):
        (package / f"net{each}.py").write_text(MODEL.format(number=each))
    (package / "__init__.py").write_text("".join(f"from .net{each} import *\n" for each in range(1, modules + 1)))
    script = tmp_path / "main.py"
    script.write_text(f"import torch\nfrom models import *\n\nNet{number}()(torch.zeros(4, {number + 1}))\n")
    found = Session(Configuration(root=tmp_path)).check_file(script).findings
    assert [finding.code for finding in found] == ["DLT101"]

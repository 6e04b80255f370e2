"""Files that other files are generated from."""

from __future__ import annotations

from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.generated import is_template

NOTE = "#   This file was automatically generated from src/models/modular_net.py.\n#   Do NOT edit it.\n"
FAULTY = "import torch\n\ntorch.randn(2, 3) @ torch.randn(2, 3)\n"


def test_the_source_of_a_generated_file_is_not_checked_for_what_it_does(tmp_path: Path) -> None:
    template, generated = tmp_path / "modular_net.py", tmp_path / "modeling_net.py"
    template.write_text(FAULTY)
    session = Session(Configuration(isolated=True))
    assert not is_template(template)
    assert session.check_file(template).findings
    generated.write_text(NOTE + FAULTY)
    assert is_template(template)
    assert not is_template(generated)
    assert not session.check_file(template).findings
    assert session.check_file(generated).findings


def test_a_note_further_down_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n" * 1_000 + NOTE)
    (tmp_path / "modular_net.py").touch()
    assert not is_template(tmp_path / "modular_net.py")

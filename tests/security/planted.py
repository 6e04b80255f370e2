"""Folders full of modules that must never be imported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
#: What dllint and its dependencies import besides the standard library, and what Python looks for by itself.
OTHERS = (
    "attrs", "cattrs", "click", "dllint", "google", "keras", "libcst", "lsprotocol", "numpy", "onnx", "packaging", "pathspec",
    "platformdirs", "pygls", "rich", "sitecustomize", "tensorflow", "typing_extensions", "usercustomize", "yaml",
)  # fmt: skip


def standard() -> list[str]:
    """The modules of the standard library that come from files."""
    return sorted(sys.stdlib_module_names - set(sys.builtin_module_names))


def plant(folder: Path, names: Iterable[str], *, packages: bool = False) -> Path:
    """Write modules into a folder that leave their name in the file returned when they are imported."""
    traces = folder.parent / "imported"
    text = f"with open({str(traces)!r}, 'a') as file:\n    file.write(__name__ + '\\n')\n"
    for name in names:
        path = folder / name / "__init__.py" if packages else folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return traces


def imported(traces: Path) -> set[str]:
    """The planted modules that were imported."""
    return set(traces.read_text().split()) if traces.exists() else set()


def script(folder: Path, before: str = "") -> tuple[str, ...]:
    """A command line like that of the installed command; ``before`` is done first."""
    path = folder / "dllint"
    path.write_text(
        f"import sys\nfrom dllint.cli.main import main\n\nif __name__ == '__main__':\n{before}    sys.exit(main())\n"
    )
    return sys.executable, str(path)


def needed_by_minus_m(folder: Path) -> set[str]:
    """What ``python -m`` itself imports before the module begins."""
    (folder / "shown.py").write_text("import sys\nprint(*sys.modules)\n")
    done = subprocess.run([sys.executable, "-m", "shown"], cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stdout.split())

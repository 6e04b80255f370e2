"""`dllint check` never imports a framework, and nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FORBIDDEN = (
    "torch",
    "tensorflow",
    "keras",
    "jax",
    "numpy",
    "pygls",
    "rich",
    "jinja2",
    "sympy",
    "packaging",
    "configparser",
    "secrets",
)
PROGRAM = """
import sys
{before}
from dllint.cli.main import run
status = run(["check", "--isolated", *sys.argv[1:]])
print(status, sorted(set({forbidden!r}) & set(sys.modules)), file=sys.stderr)
"""


def loaded(*arguments: str, before: str = "") -> str:
    program = PROGRAM.format(before=before, forbidden=FORBIDDEN)
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1]


def faulty(tmp_path: Path) -> str:
    path = tmp_path / "a.py"
    path.write_text(
        "import torch\nimport numpy as np\nfrom torch import nn\n"
        "net = nn.Sequential(nn.Linear(4, 8), nn.Linear(9, 2))\nprint(net(torch.tensor(np.zeros((2, 4)))))\n"
    )
    return str(path)


def test_checking_imports_no_framework(tmp_path):
    assert loaded(faulty(tmp_path)) == "1 []"


def test_reading_a_graph_imports_no_framework(tmp_path):
    helper = pytest.importorskip("onnx").helper
    info = helper.make_tensor_value_info
    steps = [("Relu", "x", "a"), ("Neg", "a", "b"), ("Log", "b", "y")]
    nodes = [helper.make_node(kind, [given], [made]) for kind, given, made in steps]
    graph = helper.make_graph(nodes, "g", [info("x", 1, [2])], [info("y", 1, [2])])
    (tmp_path / "a.onnx").write_bytes(helper.make_model(graph).SerializeToString())
    found = loaded(str(tmp_path / "a.onnx"))
    assert found.startswith("1 ")
    assert not any(name in found for name in ("torch", "tensorflow", "keras", "jax", "pygls"))


def test_the_test_can_fail(tmp_path):
    assert loaded(faulty(tmp_path), before="import numpy") == "1 ['numpy']"


REQUIREMENTS = Path(__file__).parents[2] / "vscode-client" / "bundled" / "requirements.txt"
BUNDLED = """
import sys
allowed = {allowed!r} | set(sys.stdlib_module_names) | {{"dllint"}}

class OnlyBundled:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in allowed:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, OnlyBundled())
import dllint.server
from dllint.cli.main import run
sys.exit(run(["check", "--isolated", "--no-cache", "--exit-zero", *sys.argv[1:]]))
"""


def bundled_modules() -> set[str]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    named = {line.split("==")[0] for line in lines if line and not line.startswith("#")}
    return named | {"attr"}  # the package attrs holds both


def check_as_bundled(allowed: set[str]) -> subprocess.CompletedProcess[str]:
    fixtures = str(Path(__file__).parents[2] / "fixtures")
    command = [sys.executable, "-P", "-c", BUNDLED.format(allowed=allowed), fixtures]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lacks_something(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode != 0 or "No module named" in done.stdout + done.stderr


def test_the_bundled_server_has_all_that_it_imports():
    done = check_as_bundled(bundled_modules())
    assert not lacks_something(done), done.stderr
    assert "DLT101" in done.stdout
    assert "error of dllint" not in done.stdout + done.stderr


@pytest.mark.parametrize("missing", ["packaging", "libcst", "click"])
def test_a_module_missing_from_the_bundle_is_noticed(missing):
    assert lacks_something(check_as_bundled(bundled_modules() - {missing}))

"""Programs are run only if the user allows it; questions end."""

from __future__ import annotations

import json
import sys

import pytest

from tests.mcp.conftest import agent

#: Stands for an interpreter with dllint: writes the report of a run, or fails. `tests/server/test_runs.py` has real runs.
INTERPRETER = """\
#!{python}
import json, os, sys

arguments = sys.argv[1:]
assert arguments[:4] == ["-P", "-m", "dllint", "diagnose"], arguments
script = next(argument for argument in arguments if argument.endswith(".py"))
if script.endswith("fails.py"):
    sys.exit("no data")
finding = {finding}
finding["filename"] = script
finding["advice"] = " ".join([os.getcwd(), *arguments[arguments.index(script) + 1:]])
with open(arguments[arguments.index("--output-file") + 1], "w") as report:
    json.dump([finding], report)
sys.exit(1)
"""
FINDING = {
    "code": "DLR101",
    "message": "the loss is nan from step 3 on",
    "severity": "error",
    "location": {"row": 1, "column": 1},
    "end_location": {"row": 1, "column": 5},
    "fixes": [],
}


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "train.py").write_text("loss = 1\n")
    (root / "fails.py").write_text("loss = 1\n")
    (tmp_path / "outside.py").write_text("loss = 1\n")
    interpreter = tmp_path / "python"
    interpreter.write_text(INTERPRETER.format(python=sys.executable, finding=json.dumps(FINDING)))
    interpreter.chmod(0o755)
    return root


def test_a_script_is_run_if_that_is_allowed(folder):
    with agent(folder, "--allow-run", "--interpreter", folder.parent / "python", cwd=folder) as asked:
        assert not asked.tools()["diagnose"].annotations.read_only_hint
        (found,) = asked.ask("diagnose", script="train.py", arguments=["--epochs", "2"])["findings"]
        assert (found["place"], found["message"]) == ("train.py:1:1", FINDING["message"])
        assert found["advice"] == f"{folder} --epochs 2"
        assert "no data" in asked.refusal("diagnose", script="fails.py")
        assert "lies outside" in asked.refusal("diagnose", script="../outside.py")


def test_a_question_that_takes_too_long_ends_its_process(folder):
    anyio = pytest.importorskip("anyio")
    from dllint.mcp.desk import Desk
    from dllint.mcp.questions import Around, Explain
    from dllint.mcp.roots import RefusedError, Roots

    async def ask() -> None:
        desk = Desk(Around(Roots.of([folder])), 0.0)
        ready, seen = desk._ready, []

        def noted():
            connection = ready()
            seen.append(desk._process)
            return connection

        desk._ready = noted
        with pytest.raises(RefusedError, match="no answer within"):
            await desk.ask(Explain("DLT101"))
        assert [process.is_alive() for process in seen] == [False]
        desk._seconds = 60.0
        assert (await desk.ask(Explain("DLT102"))).code == "DLT102"
        desk.end()

    anyio.run(ask)

"""The analysis process's view of the workspace, without a process."""

from __future__ import annotations

import json

import pytest

from dllint.config.errors import ConfigError
from dllint.engine.baseline import BaselineError
from dllint.finding import Severity
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.jobs import Cancelled
from dllint.server.messages import Buffer, FolderOptions
from dllint.server.pages import Pages
from tests.server.test_diagnostics import FIXED, NET


class Fuse:
    """Stops the work after so many checkpoints."""

    def __init__(self):
        self.left = None

    def __call__(self):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Cancelled


@pytest.fixture
def fuse():
    return Fuse()


@pytest.fixture
def analyst(fuse, tmp_path):
    return Analyst(fuse, Pages(tmp_path / "pages"), Attempts(pytest.fail))


def codes(checked):
    return [finding.code for finding in checked.findings]


def test_work_that_was_stopped_anywhere_leaves_no_trace(analyst, fuse, tmp_path):
    path = tmp_path / "net.py"
    for version in range(60):
        text = NET if version % 2 else FIXED
        analyst.buffer(Buffer(path, version, text))
        fuse.left = version
        try:
            checked, known = analyst.check(path)
            known()
        except Cancelled:
            pass
        fuse.left = None
        checked, _ = analyst.check(path)
        assert codes(checked) == ([] if text == FIXED else ["DLT101"])
    assert version == checked.version


UNREADABLE = {"deep": "x = 1" + " ** 1" * 15_000, "mixed tabs": "if True:\n    if True:\n\t    y = 2"}


@pytest.mark.parametrize("head", ["", "import torch\n"], ids=["plain", "of tensors"])
@pytest.mark.parametrize(("text", "severity"), [*((text, "info") for text in UNREADABLE.values()), ("x = = 1", "error")])
def test_what_dllint_cannot_read_is_no_error(analyst, head, text, severity, tmp_path):
    analyst.buffer(Buffer(tmp_path / "net.py", 1, f"{head}{text}\n"))
    checked, _ = analyst.check(tmp_path / "net.py")
    assert [finding.severity.value for finding in checked.findings] in ([severity], [] if severity == "info" else [severity])


def test_a_fix_is_proved_on_the_version_it_was_found_in(analyst, tmp_path):
    path = tmp_path / "net.py"
    analyst.buffer(Buffer(path, 1, NET))
    analyst.check(path)
    proved = analyst.prove(path, 1, [0, 7])
    assert [fix.message for fix in proved.fixes[0]] == ["Set in_features to 12"]
    assert list(proved.fixes) == [0]
    assert analyst.prove(path, 2, [0]).fixes == {}
    assert analyst.prove(tmp_path / "other.py", 1, [0]).fixes == {}


def test_trying_all_fixes_changes_nothing_for_importing_files(analyst, tmp_path):
    model, main = tmp_path / "model.py", tmp_path / "main.py"
    analyst.buffer(Buffer(model, 1, "import torch\ndef f(x):\n    return torch.sum(x, keepdims=True, dim=1)\n"))
    analyst.buffer(Buffer(main, 1, "import torch\nfrom model import f\nprint(f(torch.ones(2, 3)))\n"))
    before = codes(analyst.check(main)[0])
    analyst.check(model)
    assert analyst.fix_all(model, 1) is not None
    assert codes(analyst.check(main)[0]) == before


def test_the_program_of_a_file_that_is_not_known_is_empty(analyst, tmp_path):
    assert analyst.show(tmp_path / "none.py") == ""


def test_a_page_is_written_once_and_says_what_the_rule_says(tmp_path):
    pages = Pages(tmp_path)
    address = pages.address("DLT101")
    (page,) = tmp_path.iterdir()
    assert address == page.as_uri()
    assert page.read_text().startswith("# DLT101: layer-feature-size-mismatch\n")
    assert pages.address("syntax-error") == ""
    assert pages.text("DLT101") == page.read_text()
    assert "- `DLT102` input-rank-mismatch" in pages.text("DLT1")
    assert pages.text("nothing") == ""


def test_what_is_excluded_is_left_alone(analyst, tmp_path):
    (tmp_path / "dllint.toml").write_text('extend-exclude = ["generated"]')
    for path in (tmp_path / "generated" / "net.py", tmp_path / ".venv" / "site-packages" / "net.py"):
        analyst.buffer(Buffer(path, 1, NET))
        assert analyst.check(path)[0].findings == ()
    analyst.buffer(Buffer(tmp_path / "net.py", 1, NET))
    assert codes(analyst.check(tmp_path / "net.py")[0]) == ["DLT101"]


def test_what_the_baseline_knows_is_a_hint(analyst, tmp_path):
    path = tmp_path / "net.py"
    (tmp_path / "dllint.toml").write_text('baseline = "known.json"')
    analyst.buffer(Buffer(path, 1, NET))
    assert [finding.severity for finding in analyst.check(path)[0].findings] == [Severity.ERROR]
    row = {"code": "DLT101", "scope": "Net.forward", "line": "return self.fc(x)", "count": 1}
    (tmp_path / "known.json").write_text(json.dumps({"version": 1, "files": {"net.py": [row]}}))
    assert [finding.severity for finding in analyst.check(path)[0].findings] == [Severity.HINT]
    assert analyst.prove(path, 1, [0]).fixes[0]
    (tmp_path / "known.json").write_text("{}")
    with pytest.raises(BaselineError):
        analyst.check(path)


def test_without_configuration_the_folder_is_the_root(analyst, tmp_path):
    folder = tmp_path / "build" / "project"
    (folder / "src" / "parts").mkdir(parents=True)
    (folder / "src" / "parts" / "model.py").write_text(NET.split("\n\nnet = Net()")[0])
    path = folder / "tools" / "main.py"
    analyst.configure([FolderOptions(None), FolderOptions(folder)])
    analyst.buffer(Buffer(path, 1, "import torch\nfrom parts.model import Net\nNet()(torch.randn(8, 12))\n"))
    assert codes(analyst.check(path)[0]) == ["DLT101"]


BROKEN_SETTINGS = ("ignore = [", "ignore = 3", "ignor = []", "ignore = ['DLX999']", "[severity]\nDLT101 = 'loud'")


@pytest.mark.parametrize("name", ["dllint.toml", "pyproject.toml"])
def test_while_settings_cannot_be_used_the_last_ones_stay(analyst, tmp_path, name):
    head = "" if name == "dllint.toml" else "[tool.dllint]\n"
    path, settings = tmp_path / "net.py", tmp_path / name
    other = tmp_path / "below" / "net.py"
    settings.write_text(f"{head}ignore = ['DLT101']\n")
    for file in (path, other):
        analyst.buffer(Buffer(file, 1, NET))
        assert codes(analyst.check(file)[0]) == []
    for broken in BROKEN_SETTINGS:
        settings.write_text(head + broken.replace("[severity]", "[severity]" if not head else "[tool.dllint.severity]"))
        analyst.configure([FolderOptions(None)])
        said = [analyst.check(file)[0] for file in (path, path, other)]
        assert [codes(checked) for checked in said] == [[], [], []]
        (complaint,) = [text for checked in said for text in checked.complaints]
        assert str(settings) in complaint
        analyst.configure([FolderOptions(None)])
        assert analyst.check(path)[0].complaints == ()
    settings.write_text(head)
    analyst.configure([FolderOptions(None)])
    checked, _ = analyst.check(path)
    assert (codes(checked), checked.complaints) == (["DLT101"], ())


def test_settings_that_could_never_be_used_are_an_error(analyst, tmp_path):
    (tmp_path / "dllint.toml").write_text("ignore = = []")
    analyst.buffer(Buffer(tmp_path / "net.py", 1, NET))
    with pytest.raises(ConfigError, match=r"dllint\.toml is not valid TOML: .*line 1"):
        analyst.check(tmp_path / "net.py")


def test_what_is_known_at_places_goes_with_them_while_the_text_is_broken(analyst, tmp_path):
    path = tmp_path / "net.py"
    whole = NET + "\n\ndef last(x):\n    return x\n"
    analyst.buffer(Buffer(path, 1, whole))
    before = {(whole[place.start : place.end], place.text) for place in analyst.check(path)[1]().places}
    for broken in (whole.replace("def last(x):", "def last(x"), "# above\n" + whole.replace("return x\n", "return x(\n")):
        analyst.buffer(Buffer(path, 2, broken))
        checked, known = analyst.check(path)
        assert codes(checked) == ["syntax-error", "DLT101"]
        assert analyst.prove(path, 2, [1]).fixes == {}
        places = {(broken[place.start : place.end], place.text) for place in known().places}
        assert places <= before
        assert len(places) >= len(before) - 3

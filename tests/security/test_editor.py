"""What a checkout makes an editor show: text, never a picture, a link or a command that the editor would follow."""

from __future__ import annotations

import re
import time

import pytest

from tests.security.test_output import HOSTILE, assert_harmless
from tests.server.strict_client import Client

#: Markdown that does something when it is shown.
MARKDOWN = (
    "![x](https://example.org/seen.png)", "[x](command:workbench.action.terminal.new)", "[a]: https://example.org",
    "<img src='https://example.org/seen.png'>", "```\n![x](https://example.org/a.png)\n```", "<a href='x'>y</a>",
    "`![x](https://example.org/b.png)`",
)  # fmt: skip
_FENCED = re.compile(r"^```python\n.*?^```$", re.MULTILINE | re.DOTALL)
_ACTIVE = re.compile(r"!?\[[^\]\n]*\]\(|<\w+[ >]|^\[\w+\]:", re.MULTILINE)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    root = tmp_path_factory.mktemp("folder")
    client = Client(cwd=root)
    client.start(root)
    yield client, root
    assert client.stop() == 0


def program(piece: str) -> str:
    """A program that has a text in all places from which an editor shows something."""
    text = repr(piece)
    lines = (
        "import torch", "from torch import nn", f"N = {text}", f"x = torch.ones(3).to({text})", f"y = torch.einsum({text}, x)",
        f"net = nn.ModuleDict({{{text}: nn.Linear(3, 4)}})", f"z = net[{text}](torch.ones(2, 5))", f"w = torch.load({text})",
        f"c = nn.Conv2d(1, 2, 3, padding={text})", f"v = torch.hub.load({text}, {text})", f"u = getattr(x, {text})(2)",
        f"d = {{{text}: torch.ones(3)}}", f"e = d[{text}].view(7)", f"f = unknown({text}, x)", f"g = torch.ones(3)  # {text}",
    )  # fmt: skip
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("piece", MARKDOWN, ids=range(len(MARKDOWN)))
def test_hovers_show_text_only(session, piece):
    client, root = session
    text = program(piece)
    path = root / f"a{MARKDOWN.index(piece)}.py"
    path.write_text(text)
    uri = client.open(path, text)
    assert client.pull(uri)["items"]
    first = {"textDocument": {"uri": uri}, "position": {"line": 14, "character": 0}}
    end = time.monotonic() + 30
    while client.request("textDocument/hover", first) is None:  # what is known at places comes after the findings
        assert time.monotonic() < end
        time.sleep(0.1)
    shown = 0
    for line, content in enumerate(text.splitlines()):
        for column in [match.start() for match in re.finditer(r"\w+|\(", content)]:
            position = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
            hover = client.request("textDocument/hover", position)
            if hover is not None:
                shown += 1
                value = hover["contents"]["value"]
                assert not _ACTIVE.search(_FENCED.sub("", value)), value
    assert shown > 5


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_the_log_of_the_editor_says_nothing_that_is_not_so(session, piece):
    client, root = session
    folder = root / f"folder{HOSTILE.index(piece)}"
    folder.mkdir()
    (folder / "dllint.toml").write_text("src = ['/']\ncache-dir = '/nowhere'\n")
    name = piece.replace("/", "_").replace("\0", "_").encode("utf-8", "replace").decode()
    path = folder / f"{name}large.py"
    path.write_text("import torch\n" + "#" * 2_100_000)
    before = len(client.sent("window/logMessage"))
    client.pull(client.open(path))
    small = folder / f"{name}small.py"
    small.write_text("import torch\ntorch.ones(3).view(7)\n")
    assert client.pull(client.open(small))["items"]
    told = [message["params"]["message"] for message in client.sent("window/logMessage")[before:]]
    assert any("outside of the project" in text for text in told)
    for text in told:
        assert_harmless(text)
        assert all(line.startswith("  ") for line in text.split("\n")[1:])

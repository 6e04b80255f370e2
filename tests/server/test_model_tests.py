"""A test of a model's architecture, written by an action of the editor."""

from __future__ import annotations

from tests.server.strict_client import CAPABILITIES
from tests.server.test_actions import actions, position
from tests.server.test_diagnostics import NET


def making(capabilities):
    """An editor that makes files when the server asks for it."""
    workspace = {**capabilities["workspace"], "applyEdit": True}
    workspace["workspaceEdit"] = {"documentChanges": True, "resourceOperations": ["create"]}
    return {**capabilities, "workspace": workspace}


def header(client, uri, text, of):
    """The actions on the header of a class, once it is known what it is."""
    place = position(text, of)
    client.wait(lambda m: m.get("method") == "$/dllint/followed" and m["params"]["uri"] == uri)
    return actions(client, uri, place, ["refactor"])


def test_a_test_of_an_architecture_is_made_beside_the_file(connect, tmp_path):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, making(CAPABILITIES) | {"experimental": {"dllintFollowed": True}})
    text = NET.replace("16", "12") + "\n\nclass Plain:\n    pass\n\n\nclass Needs(nn.Module):\n    def __init__(self, width):\n"
    text += "        super().__init__()\n        self.layer = nn.Linear(width, 2)\n\n"
    text += "    def forward(self, x):\n        return self.layer(x)\n"
    uri = client.open(tmp_path / "net.py", text)
    client.pull(uri)
    (action,) = header(client, uri, text, "Net(nn.Module)")
    assert action["title"] == "Write a test of the architecture of Net"
    assert header(client, uri, text, "Plain") == []
    command = {"command": action["command"]["command"], "arguments": action["command"]["arguments"]}
    target = tmp_path / "test_net_net.py"
    assert client.request("workspace/executeCommand", command) == {"uri": target.as_uri()}
    (asked,) = client.sent("workspace/applyEdit")
    made, written = asked["params"]["edit"]["documentChanges"]
    assert (made["kind"], made["uri"]) == ("create", target.as_uri())
    assert "from net import Net\n" in written["edits"][0]["newText"]
    assert "def test_the_number_of_parameters(model):" in written["edits"][0]["newText"]

    target.write_text("")
    assert client.request("workspace/executeCommand", command) is None
    needs = {**command, "arguments": [uri, "Needs"]}
    assert client.request("workspace/executeCommand", needs) is None
    said = [message["params"]["message"] for message in client.sent("window/showMessage")]
    assert "test_net_net.py is there already" in said[0]
    assert 'net.py:"Needs(width=…)"' in said[1]
    client.replace(uri, 2, text + "\n\nneeds = Needs(width=6)\n")
    assert client.request("workspace/executeCommand", needs) is not None
    assert (
        "Needs(width=6)" in client.sent("workspace/applyEdit")[1]["params"]["edit"]["documentChanges"][1]["edits"][0]["newText"]
    )

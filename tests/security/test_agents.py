"""What a coding agent can reach through ``dllint mcp``."""

from __future__ import annotations

import pytest

from dllint.mcp.roots import RefusedError, Roots


@pytest.fixture
def roots(tmp_path):
    for folder in ("root/below", "root-beside", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("root/a.py", "root/below/b.py", "root-beside/c.py", "outside/d.py"):
        (tmp_path / file).write_text("")
    root = tmp_path / "root"
    (root / "file.py").symlink_to(tmp_path / "outside" / "d.py")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "back").symlink_to(root / "folder" / ".." / "root" / "below")
    (root / "loop").symlink_to(root / "loop")
    return Roots.of([root])


OUTSIDE = (
    "file.py",
    "folder",
    "folder/d.py",
    "..",
    "../root-beside/c.py",
    "below/../../outside/d.py",
    "~/x.py",
    "/etc",
    "a\0",
    "loop",
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_an_agent_reaches_nothing_outside_of_the_roots(roots, path):
    with pytest.raises(RefusedError, match=r"lies outside|there is no"):
        roots.resolve(path)
    with pytest.raises(RefusedError, match=r"lies outside|there is no"):
        roots.resolve(f"{roots.folders[0]}/{path}")


@pytest.mark.parametrize("path", ["a.py", "below", "below/b.py", "back/b.py", "below/../a.py", "."])
def test_what_lies_in_a_root_is_found(roots, path):
    assert roots.resolve(path).is_relative_to(roots.folders[0])
    assert roots.resolve(str(roots.folders[0] / path)) == roots.resolve(path)


def test_what_is_not_there_is_not_told_of_outside(roots):
    """Whether a file exists outside is not found out by asking for it."""
    said = []
    for path in ("../outside/d.py", "../outside/x.py"):
        with pytest.raises(RefusedError) as refused:
            roots.resolve(path)
        said.append(str(refused.value).replace(path, ""))
    assert said[0] == said[1]


@pytest.mark.parametrize("allow", [False, True])
def test_an_agent_runs_programs_only_if_allowed(roots, allow):
    anyio = pytest.importorskip("anyio")
    pytest.importorskip("mcp")
    from dllint.mcp.tools import Options, make_server

    tools = {tool.name: tool for tool in anyio.run(make_server(Options(roots, allow_run=allow)).list_tools)}
    assert ("diagnose" in tools) is allow
    assert all(tool.annotations.read_only_hint for name, tool in tools.items() if name != "diagnose")

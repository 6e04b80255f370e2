"""A real client of the protocol that talks with `dllint mcp` over its standard streams."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import pytest


class Agent:
    """The client, asked from ordinary tests."""

    def __init__(self, portal, client):
        self._portal, self._client = portal, client

    def tools(self):
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    def result(self, tool, /, **arguments):
        return self._portal.call(self._client.call_tool, tool, arguments)

    def ask(self, tool, /, **arguments):
        """The structured answer."""
        result = self.result(tool, **arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    def refusal(self, tool, /, **arguments):
        """Why a question is not answered."""
        result = self.result(tool, **arguments)
        assert result.is_error, result.structured_content
        return result.content[0].text


@contextmanager
def agent(*arguments, cwd):
    pytest.importorskip("mcp")
    from anyio.from_thread import start_blocking_portal
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(command=sys.executable, args=["-P", "-m", "dllint", "mcp", *map(str, arguments)], cwd=cwd)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Agent(portal, client)

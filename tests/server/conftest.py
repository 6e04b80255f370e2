"""Servers for tests, ended as the protocol wants it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.strict_client import Client


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """Starts servers; all must end well."""
    clients: list[Client] = []

    def start(*arguments, **named):
        clients.append(Client(*arguments, **named))
        return clients[-1]

    yield start
    for client in clients:
        if client.process.poll() is None:
            client.stop()


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    """A client that pulls; the tests of a module share its server, each with files of its own."""
    root = tmp_path_factory.mktemp("folder")
    client = Client(cwd=root)
    client.start(root)
    yield client
    assert client.stop() == 0

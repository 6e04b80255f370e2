"""A server per test, ended as the protocol wants it."""

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


@pytest.fixture
def client(connect, tmp_path) -> Client:
    """A client that pulls, with the test's directory as its folder."""
    client = connect(cwd=tmp_path)
    client.start(tmp_path)
    return client

"""Why a file cannot be read as a graph."""

from __future__ import annotations


class GraphError(Exception):
    """The file is no graph of its format, is damaged, or asks for what is not done for it; the message is for people."""


class MissingExtraError(Exception):
    """A package that reading a format needs is not installed."""

    def __init__(self, title: str, extra: str) -> None:
        super().__init__(f"{title} is read with the optional extra `{extra}`: pip install 'dllint[{extra}]'")

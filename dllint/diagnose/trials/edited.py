"""Serving edited source files to a program in this process without changing any file."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from typing import Any


def serve_edited(texts: Mapping[str, str]) -> None:
    """From now on, source loaders and tracebacks see ``texts`` (absolute path → text) as the contents of these files."""
    data = {path: text.encode() for path, text in texts.items()}
    for path, text in texts.items():
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    get_data, get_code = SourceFileLoader.get_data, SourceFileLoader.get_code

    def edited_data(loader: SourceFileLoader, path: Any) -> bytes:
        known = data.get(os.path.abspath(path))
        return known if known is not None else get_data(loader, path)

    def edited_code(loader: SourceFileLoader, fullname: str) -> Any:
        # Not from the cache of compiled files, and never into it.
        path = loader.get_filename(fullname)
        known = data.get(os.path.abspath(path))
        return loader.source_to_code(known, path) if known is not None else get_code(loader, fullname)

    SourceFileLoader.get_data = edited_data  # type: ignore[assignment, method-assign]
    SourceFileLoader.get_code = edited_code  # type: ignore[assignment, method-assign]

"""Serving edited source files to a program in this process without changing any file."""

from __future__ import annotations

import io
import linecache
import os
import tokenize
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from typing import Any


def serve_edited(texts: Mapping[str, str]) -> None:
    """From now on, source loaders and tracebacks see ``texts`` (absolute path → text) as the contents of these files."""
    data = {path: _encoded(text) for path, text in texts.items()}
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


def _encoded(text: str) -> bytes:
    """A text as its own coding cookie says that it is encoded, so that it is read as what it is."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
    except (SyntaxError, UnicodeError, LookupError):
        return data

"""From bytes to text as Python does it: byte-order mark, coding cookie, else UTF-8."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from functools import partial
from typing import Final

#: A line ends as in Python's own reader: at a carriage return, too.
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)?")

#: Decoding it takes time that grows with the square of the length.
_SLOW: Final = "punycode"
_MOST_SLOW: Final = 1 << 14


class UndecodableError(ValueError):
    """The bytes are not Python source text; the message says why."""


def decode(data: bytes) -> tuple[str, str]:
    """The text, line breaks as they are, and the name of the encoding that gives the bytes back (``utf-8-sig`` for a
    byte-order mark). Raises :class:`UndecodableError` for binary data, an unknown cookie or bytes the encoding lacks."""
    if b"\0" in data:
        raise UndecodableError("the file holds null bytes, so it is not Python source")
    try:
        encoding, _ = tokenize.detect_encoding(partial(next, _lines(data)))
        if encoding == _SLOW and len(data) > _MOST_SLOW:
            raise UndecodableError(f"more than {_MOST_SLOW} bytes of {_SLOW} are not decoded")
        return data.decode(encoding), encoding
    except SyntaxError as error:
        raise UndecodableError(error.msg) from None
    except (UnicodeError, LookupError) as error:
        raise UndecodableError(str(error)) from None


def _lines(data: bytes) -> Iterator[bytes]:
    return (match.group() for match in _LINE.finditer(data))

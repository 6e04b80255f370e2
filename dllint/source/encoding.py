"""From bytes to text as Python does it: byte-order mark, coding cookie, else UTF-8."""

from __future__ import annotations

import io
import tokenize


class UndecodableError(ValueError):
    """The bytes are not Python source text; the message says why."""


def decode(data: bytes) -> tuple[str, str]:
    """The text, line breaks as they are, and the name of the encoding that gives the bytes back (``utf-8-sig`` for a
    byte-order mark). Raises :class:`UndecodableError` for binary data, an unknown cookie or bytes the encoding lacks."""
    if b"\0" in data:
        raise UndecodableError("the file holds null bytes, so it is not Python source")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except SyntaxError as error:
        raise UndecodableError(error.msg) from None
    except (UnicodeError, LookupError) as error:
        raise UndecodableError(str(error)) from None

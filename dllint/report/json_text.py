"""JSON as it is printed: letters as they are, and escapes for halves of letters, which no output can encode. A name of a file
that is no UTF-8 has such halves."""

from __future__ import annotations

import json
import re
from typing import Final

_HALF: Final = re.compile("[\ud800-\udfff]")


def json_text(data: object) -> str:
    """Plain data as an indented document."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(data, indent=2, ensure_ascii=False))

"""The sizes of pictures, from the beginning of their files: PNG, JPEG, GIF and BMP.

Formats: PNG specification, third edition, 11.2.1 (IHDR); ITU-T T.81, annex B (JPEG); GIF89a, 18; BITMAPINFOHEADER (BMP).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.source.data.held import PictureHead

_PNG: Final = b"\x89PNG\r\n\x1a\n"
#: Bits of a sample and colour type of PNG → the mode that Pillow gives the picture.
_PNG_MODES: Final = {(1, 0): "1", (8, 0): "L", (8, 2): "RGB", (8, 3): "P", (8, 4): "LA", (8, 6): "RGBA"}
#: Components of JPEG → the mode.
_JPEG_MODES: Final = {1: "L", 3: "RGB", 4: "CMYK"}
#: Markers of JPEG that begin a frame, and those without a length.
_FRAMES: Final = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BARE: Final = {0x01, *range(0xD0, 0xD9)}
_BMP_MODES: Final = {24: "RGB"}
_LONGEST_SIDE: Final = 2**20


def picture_head(head: bytes) -> PictureHead | None:
    """What the beginning of a file says of the picture; None if it is none of these formats, or ends before."""
    if head.startswith(_PNG) and head[12:16] == b"IHDR" and len(head) >= 29:
        sizes, mode = (_big(head, 16, 4), _big(head, 20, 4)), _PNG_MODES.get((head[24], head[25]), "")
        return _checked(*sizes, mode, b"eXIf" in head)
    if head.startswith(b"\xff\xd8"):
        return _jpeg(head)
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return _checked(_little(head, 6, 2), _little(head, 8, 2), "", False)
    if head.startswith(b"BM") and len(head) >= 30 and _little(head, 14, 4) >= 40:
        height = int.from_bytes(head[22:26], "little", signed=True)
        return _checked(_little(head, 18, 4), abs(height), _BMP_MODES.get(_little(head, 28, 2), ""), False)
    return None


def _jpeg(head: bytes) -> PictureHead | None:
    exif = False
    for marker, start in _segments(head):
        exif = exif or (marker == 0xE1 and head[start : start + 4] == b"Exif")
        if marker in _FRAMES and len(head) >= start + 6:
            return _checked(_big(head, start + 3, 2), _big(head, start + 1, 2), _JPEG_MODES.get(head[start + 5], ""), exif)
    return None


def _segments(head: bytes) -> Iterator[tuple[int, int]]:
    """The markers before the numbers of the picture begin, and where the content of each starts."""
    place = 2
    while place + 4 <= len(head) and head[place] == 0xFF:
        marker = head[place + 1]
        if marker in (0xDA, 0xD9):
            return
        if marker == 0xFF or marker in _BARE:
            place += 1 if marker == 0xFF else 2
            continue
        yield marker, place + 4
        place += 2 + max(_big(head, place + 2, 2), 2)


def _checked(width: int, height: int, mode: str, turned: bool) -> PictureHead | None:
    sound = 0 < width <= _LONGEST_SIDE and 0 < height <= _LONGEST_SIDE
    return PictureHead(width, height, mode, turned) if sound else None


def _big(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "big")


def _little(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "little")

"""Pages that the user asks for: shown by the editor itself, or written to a file that it opens elsewhere."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import tempfile
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from dllint.server import checking
from dllint.server.app import Server
from dllint.server.backend import LostError
from dllint.server.messages import Why

_LOGGER = logging.getLogger(__name__)
#: Seconds to wait for an editor that does not say whether it has opened a page.
_LONGEST_WAIT: Final = 10.0
#: Pages that are kept.
_MOST: Final = 20


async def show_why(ls: Server, uri: str = "", version: int = 0, number: int = 0) -> dict[str, str] | None:
    """The command ``dllint.showWhy``: show what a finding of a file rests on. The page as ``html`` to an editor that shows it
    itself, else the address of the file in which it is; ``None`` if the file has changed since the finding was shown."""
    file = ls.state.files.get(uri)
    page = await _page(ls, Why(file.path, version, number)) if file is not None else ""
    if not page or file is None:
        ls.say(lsp.MessageType.Info, "dllint: the file has changed since; ask again at the finding")
        return None
    if ls.state.client.pages:
        return {"title": f"dllint: {file.path.name}", "html": page}
    address = written(page).as_uri()
    if not await _opened(ls, address):
        ls.say(lsp.MessageType.Info, f"dllint: the page is {address}")
    return {"uri": address}


async def _opened(ls: Server, address: str) -> bool:
    """Whether the editor has opened a page elsewhere."""
    if not ls.state.client.opens_documents:
        return False
    try:
        asked = ls.window_show_document_async(lsp.ShowDocumentParams(address, external=True))
        return (await asyncio.wait_for(asked, _LONGEST_WAIT)).success
    except Exception as error:  # the user is told where it is
        _LOGGER.warning("the editor does not open the page: %s", error)
        return False


async def _page(ls: Server, question: Why) -> str:
    try:
        answer = await asyncio.wait_for(ls.state.backend.ask(question), checking.LONGEST_CHECK)
    except (LostError, TimeoutError):
        return ""
    return answer if isinstance(answer, str) else ""


def written(page: str) -> Path:
    """The file of the user's own in which a page is kept; older ones are removed."""
    folder = _folder()
    path = folder / f"{hashlib.blake2b(page.encode(), digest_size=8).hexdigest()}.html"
    path.write_text(page, encoding="utf-8")
    others = sorted(folder.glob("*.html"), key=lambda file: file.stat().st_mtime, reverse=True)
    for old in others[_MOST:]:
        old.unlink(missing_ok=True)
    return path


def _folder() -> Path:
    from platformdirs import user_cache_path

    try:
        folder = user_cache_path("dllint") / "pages"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home directory, or not writable
        return Path(tempfile.mkdtemp(prefix="dllint-pages-"))
    return folder

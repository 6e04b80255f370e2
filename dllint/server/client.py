"""What the editor can do, asked in the words of this server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability


@dataclass(frozen=True, slots=True)
class Client:
    """The abilities of an editor that make a difference here; all are absent until it has introduced itself."""

    pull_diagnostics: bool = False
    refresh_diagnostics: bool = False
    refresh_inlay_hints: bool = False
    refresh_code_lenses: bool = False
    #: Whether features can be registered late, so that the outline is asked for again (``textDocument/documentSymbol``).
    register_symbols: bool = False
    hierarchical_symbols: bool = False
    #: The commands that it has itself (the experimental capability ``dllintCommands``).
    commands: frozenset[str] = frozenset()
    versioned_edits: bool = False
    resolves_edits: bool = False
    markdown: bool = False
    configuration: bool = False
    #: Whether an edit may make files, and the server may ask for edits.
    creates_files: bool = False
    watch_files: bool = False
    register_configuration: bool = False
    progress: bool = False
    #: Whether it wants the coverage of the findings (the experimental capability ``dllintFollowed``).
    followed: bool = False
    #: Whether it shows pages in HTML itself, as the result of a command (the experimental capability ``dllintPages``); whether
    #: it opens them elsewhere, such as in a browser.
    pages: bool = False
    opens_documents: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> Client:
        """The abilities an editor has declared."""

        def has(path: str) -> bool:
            return bool(get_capability(capabilities, path, False))

        resolvable: Any = get_capability(capabilities, "text_document.code_action.resolve_support.properties", ())
        operations: Any = get_capability(capabilities, "workspace.workspace_edit.resource_operations", ())
        formats: Any = get_capability(capabilities, "text_document.hover.content_format", ())
        experimental = capabilities.experimental
        own = experimental.get("dllintCommands") if isinstance(experimental, dict) else None
        return cls(
            followed=bool(experimental.get("dllintFollowed")) if isinstance(experimental, dict) else False,
            pages=bool(experimental.get("dllintPages")) if isinstance(experimental, dict) else False,
            opens_documents=has("window.show_document.support"),
            pull_diagnostics=get_capability(capabilities, "text_document.diagnostic", None) is not None,
            refresh_diagnostics=has("workspace.diagnostics.refresh_support"),
            refresh_inlay_hints=has("workspace.inlay_hint.refresh_support"),
            refresh_code_lenses=has("workspace.code_lens.refresh_support"),
            register_symbols=has("text_document.document_symbol.dynamic_registration"),
            hierarchical_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
            commands=frozenset(map(str, own)) if isinstance(own, list) else frozenset(),
            versioned_edits=has("workspace.workspace_edit.document_changes"),
            resolves_edits="edit" in (resolvable or ()) and has("text_document.code_action.data_support"),
            markdown=lsp.MarkupKind.Markdown in (formats or ()),
            configuration=has("workspace.configuration"),
            creates_files=lsp.ResourceOperationKind.Create in (operations or ()) and has("workspace.apply_edit"),
            watch_files=has("workspace.did_change_watched_files.dynamic_registration"),
            progress=has("window.work_done_progress"),
            register_configuration=has("workspace.did_change_configuration.dynamic_registration"),
        )

"""The sessions of the editor's folders. While a configuration cannot be used, the last one that could stays in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.config.errors import ConfigError
from dllint.config.options import NO_ENVIRONMENT
from dllint.config.read import to_values
from dllint.engine.registry import catalogue
from dllint.engine.session import Session
from dllint.engine.tracing import Read
from dllint.server.messages import FolderOptions

_OUTSIDE: Final = FolderOptions(None)


@dataclass(slots=True)
class Sessions:
    """One session for each folder, which checks its files. ``checkpoint`` may raise to stop the work; ``read`` gives the
    documents of imported files."""

    checkpoint: Callable[[], None]
    read: Read
    _folders: tuple[FolderOptions, ...] = ()
    _by_folder: dict[Path | None, Session] = field(default_factory=dict)
    #: By directory, the last configuration that could be used for its files.
    _good: dict[Path, Configuration] = field(default_factory=dict)
    #: Sessions under former configurations, by ``id`` of these.
    _former: dict[int, Session] = field(default_factory=dict)
    #: What has been said about the configuration of a directory.
    _said: dict[Path, str] = field(default_factory=dict)
    _unsaid: list[str] = field(default_factory=list)

    def configure(self, folders: Iterable[FolderOptions]) -> None:
        """Start anew under other options; configuration files are read anew."""
        self._folders = tuple(folders)
        self._by_folder.clear()
        self._former.clear()

    def __iter__(self) -> Iterator[Session]:
        yield from (*self._by_folder.values(), *self._former.values())

    def of(self, path: Path) -> Session:
        """The session of the innermost folder a file lies in.

        Raises:
            ConfigError: the configuration that holds for the file cannot be used, and none could be before.
        """
        directory = path.parent
        try:
            session = self._present(path)
            settings = session.configuration.for_file(path)
            session.configuration.selection(settings, catalogue())
        except ConfigError as error:
            before = self._good.get(directory)
            if before is None:
                raise
            self._complain(directory, f"{error}; the last settings that could be used stay in force")
            if id(before) not in self._former:
                self._former[id(before)] = self._session(before)
            return self._former[id(before)]
        self._good[directory] = session.configuration
        self._said.pop(directory, None)
        return session

    def complaints(self) -> tuple[str, ...]:
        """What is wrong with configurations and has not been said yet."""
        unsaid, self._unsaid = tuple(self._unsaid), []
        return unsaid

    def _complain(self, directory: Path, text: str) -> None:
        if text not in self._said.values():
            self._unsaid.append(text)
        self._said[directory] = text

    def _present(self, path: Path) -> Session:
        """The session under the present configuration. Raises ConfigError if the editor's settings cannot be used."""
        around = [f for f in self._folders if f.root is None or path.is_relative_to(f.root)]
        folder = max(around, key=lambda f: len(f.root.parts) if f.root is not None else 0, default=_OUTSIDE)
        if folder.root not in self._by_folder:
            self._by_folder[folder.root] = self._session(_configuration(folder))
        return self._by_folder[folder.root]

    def _session(self, configuration: Configuration) -> Session:
        return Session(configuration, remember=True, checkpoint=self.checkpoint, read=self.read)


def _configuration(folder: FolderOptions) -> Configuration:
    if folder.file is not None and not folder.file.is_file():
        raise ConfigError(f"the editor setting `dllint.configuration` names no file: {folder.file}")
    values = to_values(folder.overrides, "the editor setting `dllint.configuration`")
    named = str(values.pop("python", ""))
    if named and named != NO_ENVIRONMENT and folder.root is not None:
        named = str(folder.root / Path(named).expanduser())
    return Configuration(
        overrides=values, file=folder.file, root=folder.root, environments=Environments(named, folder.interpreter)
    )

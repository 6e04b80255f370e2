"""Every setting of dllint, once: its type, default and documentation.

The command line, the configuration reader, ``dllint config`` and ``docs/settings.md`` are all made from this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from dllint.domains.precision import PRECISIONS, USUAL
from dllint.source.plain import Plain
from dllint.source.resolution import SearchPath

if TYPE_CHECKING:
    from dllint.config.ranges import NamedRange
    from dllint.source.installed import Environment

Kind = Literal[
    "strings", "string", "flag", "integer", "percentage", "choice", "globs-to-strings", "strings-to-choice", "ranges", "targets"
]  # fmt: skip

SEVERITIES: Final = ("error", "warning", "info", "hint")
CONFIDENCES: Final = ("high", "medium", "low")
#: The value of ``python`` that stands for no environment.
NO_ENVIRONMENT: Final = "none"
FORMATS: Final = ("full", "concise", "json", "sarif", "github")

DEFAULT_EXCLUDE: Final = (
    "._*",  # what macOS keeps beside each file on other file systems
    ".bzr",
    ".dllint_cache",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pypackages__",
    "_build",
    "build",
    "dist",
    "lightning_logs",
    "mlruns",
    "node_modules",
    "site-packages",
    "venv",
    "wandb",
)


_ONLY_YOURS: Final = (
    "More than the default counts where you say it yourself: on the command line, in the settings of your editor, or in a "
    "configuration file right in your home directory. A checkout can lower it only."
)


def _option(kind: Kind, default: Plain, doc: str, example: str, choices: tuple[str, ...] = ()) -> Any:
    metadata = {"kind": kind, "doc": doc, "example": example, "choices": choices}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force for one file. ``root`` is the directory that relative patterns refer to; ``origin`` the
    configuration file they come from, ``None`` for the built-in defaults; ``refused`` says what of that file does not hold;
    ``environment`` is where installed packages are looked up, if anywhere."""

    select: tuple[str, ...] = _option(
        "strings",
        (),
        "Rules to report: codes (`DLT101`), code prefixes (`DLT`, `DLT1`), kebab-case names or `ALL`. Empty: every rule "
        "that is on by default. A rule that is off by default is selected by its code, its name or `ALL` only.",
        '["DLT", "softmax-before-cross-entropy"]',
    )
    ignore: tuple[str, ...] = _option(
        "strings", (), "Rules not to report. The more specific selector wins over the more general one.", '["DLS202"]'
    )
    extend_select: tuple[str, ...] = _option(
        "strings", (), "Rules to report in addition to `select` or the default set.", '["DLT121"]'
    )
    extend_ignore: tuple[str, ...] = _option("strings", (), "Rules to ignore in addition to `ignore`.", '["DLA104"]')
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        "globs-to-strings",
        (),
        "Rules to ignore in the files that match a pattern; a leading `!` means all other files.",
        '{ "tests/**" = ["DLS"] }',
    )
    severity: tuple[tuple[str, str], ...] = _option(
        "strings-to-choice",
        (),
        "Another severity for a rule, by code, prefix or name.",
        '{ DLS202 = "info" }',
        SEVERITIES,
    )
    ranges: tuple[NamedRange, ...] = _option(
        "ranges",
        (),
        "What the code cannot say: between which numbers inputs, weights and attributes lie. From names to intervals: "
        '`"[0, 1]"`, `"(0, inf)"`, `"[0, ?)"` (the end `?` is not stated), or `[0, 1]` as a list. A name is that of a '
        "parameter, variable or attribute (`x`, `forward.x`, `Net.forward.x`, `Net.scale`) or, in graphs, of a node; `*` and "
        "`?` match as in file names. Names under a pattern of files hold in these files only. A comment "
        "`# dllint: range x in [0, 1]` says the same in the code; `--ranges FILE` reads such a table from a file of its own.",
        '{ images = "[0, 1]", "models/*.py" = { "Net.scale" = "(0, inf)" } }',
    )
    target: tuple[str, ...] = _option(
        "targets",
        (),
        "The releases of libraries that the code is for, as requirements (`torch==2.13`, `tensorflow>=2.4,<2.16`); "
        "`--target` on the command line wins. Where nothing is set, the first of these decides for each library: what a "
        "notebook installs; lock files, requirements, constraints, `pyproject.toml`, `setup.cfg`, `setup.py` (read, never "
        "executed), Pipfile and conda environments, the nearest directory of the repository first; a virtual environment "
        "in the project (its list of packages is read); the versions that a notebook's outputs show; the README. "
        "`requires-python` and the kernel of a notebook rule out releases that do not run there, and a pinned TensorFlow "
        "says which Keras goes with it.\n\n"
        "A name or keyword that all admitted releases lack is an error. If the newest admitted release lacks it and older "
        "ones have it, as with `tensorflow>=1.4`, an upgrade breaks the code: one warning for each file, and never more "
        "than a warning where only the README says so. If all have it, nothing is reported. Where nothing says which "
        "release the code is for, names in the file that only newer releases have still prove it; else all old names and "
        "keywords of the file are one finding of severity `info`, unless the rule is selected by its code or given a "
        "severity. `check` closes with who decided, `--show-settings` lists it, and JSON has it under `releases`.",
        '["torch==2.13"]',
    )
    min_confidence: str = _option(
        "choice",
        "low",
        "Report only findings of at least this confidence. High: at least 98 of 100 such findings are right, medium 90, low "
        "60, on code that nobody tuned dllint against, for the release of the library that the code is for. What a rule tells "
        "as an error is a warning where its confidence is low.",
        '"medium"',
        CONFIDENCES,
    )
    fail_on: str = _option(
        "choice",
        "warning",
        "The lowest severity that makes `dllint check` exit with status 1.",
        '"error"',
        SEVERITIES[:3],
    )
    fail_on_confidence: str = _option(
        "choice",
        "medium",
        "The lowest confidence of a finding that makes `dllint check` exit with status 1; what is less certain is reported and "
        "fails nothing.",
        '"low"',
        CONFIDENCES,
    )
    min_coverage: int = _option(
        "percentage",
        0,
        "The least share, in percent, of tensor operations whose shapes `dllint check` must know, or it exits with status 1. "
        "Counted are places in the source; calls that were given up and functions that nothing calls count as unknown. Code "
        "without tensor operations has no share and passes.",
        "60",
    )
    output_format: str = _option("choice", "full", "How findings are printed.", '"concise"', FORMATS)
    fixable: tuple[str, ...] = _option("strings", ("ALL",), "Rules whose fixes may be applied.", '["DLT"]')
    unfixable: tuple[str, ...] = _option("strings", (), "Rules whose fixes are never applied.", '["DLA104"]')
    unsafe_fixes: bool = _option(
        "flag", False, "Let `--fix` also apply fixes that change what a running program computes.", "true"
    )
    baseline: str = _option(
        "string",
        "",
        "The file of the known findings, which are not reported; `dllint check --update-baseline` writes it. Relative to the "
        "directory of the configuration file, and in the same project; `--baseline` may name any place.",
        '"dllint-baseline.json"',
    )
    include: tuple[str, ...] = _option(
        "strings", ("*.py", "*.ipynb"), "Files to check when a directory is given.", '["*.py", "*.pyw"]'
    )
    exclude: tuple[str, ...] = _option(
        "strings", DEFAULT_EXCLUDE, "Files and directories to leave out; replaces the default list.", '["legacy"]'
    )
    extend_exclude: tuple[str, ...] = _option("strings", (), "Files and directories to leave out besides `exclude`.", '["gen"]')
    force_exclude: bool = _option(
        "flag", False, "Apply the exclusions also to files named on the command line (for pre-commit).", "true"
    )
    respect_gitignore: bool = _option("flag", True, "Leave out what `.gitignore` files exclude.", "false")
    src: tuple[str, ...] = _option(
        "strings",
        (".", "src"),
        "Directories of the project in which imports of its own modules are looked up.",
        '["lib"]',
    )
    python: str = _option(
        "string",
        "",
        "The Python environment whose installed packages are read (never imported, and no interpreter is started) where the "
        "code uses what dllint has no table for: its directory or its interpreter, or `none`. In a configuration file of a "
        "checkout it lies in the project. Where nothing is set, the one that `VIRTUAL_ENV` or `CONDA_PREFIX` names, or `.venv` "
        "beside the file or above it, up to the repository; never the one that dllint runs in. `--python` and "
        "`--no-environment` say the same on the command line. Files with the ending `.py` are read, also those that `.pth` "
        "files lead to by naming a directory; in a `.venv` that was found by itself these must lie in the project. `check` "
        "closes with the environment that was used. What is found wrong inside an installed package is told at your call, as a "
        "warning.",
        '".venv"',
    )
    array_files: bool = _option(
        "flag",
        True,
        "Read what files beside the code say of the shapes in them, where a program loads them by their written path: arrays "
        "(`.npy`, `.npz`, `.safetensors`, HDF5), checkpoints of `torch.save`, columns of tables, sizes of pictures and the "
        "configurations of Keras models. Heads are read, no numbers; nothing is unpickled, and files that are damaged, nested "
        "too deeply or hold too much are left alone. Files that the program itself writes, or that lie outside the project, "
        "count as unknown.",
        "false",
    )
    cache_dir: str = _option(
        "string",
        ".dllint_cache",
        "The directory of the results that are kept between runs, relative to that of the configuration file, and in the same "
        "project; `--cache-dir` may name any place. dllint makes it, and keeps nothing in a directory that it has not made and "
        "that is not empty. `dllint clean` removes what was kept.",
        '".cache/dllint"',
    )
    max_file_size: int = _option(
        "integer",
        2_000_000,
        f"Files with more bytes than this are skipped with a notice. {_ONLY_YOURS}",
        "500_000",
    )
    max_file_lines: int = _option("integer", 50_000, "Files with more lines than this are skipped with a notice.", "20_000")
    max_steps: int = _option(
        "integer",
        400_000,
        "Statements that are executed abstractly per file; what is not reached within them stays unknown and is not "
        "reported on.",
        "100_000",
    )
    max_seconds: int = _option(
        "integer",
        20,
        "Seconds of CPU time for one file. Other limits count work, so that findings do not depend on the machine; this is the "
        "last stop. What was found until then is reported, the file is named, and its result is not kept. "
        f"{_ONLY_YOURS}",
        "10",
    )
    max_memory: int = _option(
        "integer",
        2048,
        "Memory of a whole run in MiB. There are no more processes than one for each 256 MiB; a file that needs more than the "
        "share of its process is checked again by itself, and stopped as by `max-seconds` if it needs more than all. "
        f"{_ONLY_YOURS}",
        "1024",
    )
    precision: str = _option(
        "choice",
        USUAL.name,
        "How exactly ranges of numbers are computed: one interval for each tensor (`interval`) or for each part of it "
        "(`partition`), without or with what is known of several values together (`+affine`: multiples of one value, maxima, "
        "sums), with functions of written numbers computed (`+written`); `expansion` instead takes every element of a small "
        "tensor for a part of its own, which is slow.",
        '"interval"',
        tuple(PRECISIONS),
    )
    root: Path = field(default_factory=Path.cwd)
    origin: Path | None = None
    refused: tuple[str, ...] = ()
    environment: Environment | None = None

    @property
    def source_roots(self) -> list[Path]:
        """The directories of ``src``: where imports of the project's own modules are looked up."""
        return [self.root / directory for directory in self.src]

    @property
    def search_path(self) -> SearchPath:
        """Where imports are looked up: in the source roots, then in the environment."""
        return SearchPath.of(self.source_roots, () if self.environment is None else self.environment.roots)


@dataclass(frozen=True, slots=True)
class Option:
    """The description of one setting; ``name`` is its kebab-case key in configuration files."""

    name: str
    attribute: str
    kind: Kind
    default: Any
    doc: str
    example: str
    choices: tuple[str, ...]


def options() -> Iterator[Option]:
    """All settings, in the order of the documentation."""
    for item in fields(Settings):
        if item.metadata:
            yield Option(
                name=item.name.replace("_", "-"),
                attribute=item.name,
                kind=item.metadata["kind"],
                default=item.default,
                doc=item.metadata["doc"],
                example=item.metadata["example"],
                choices=item.metadata["choices"],
            )


def names_rules(settings: Settings) -> bool:
    """Whether settings select rules, or change their severity."""
    return bool(settings.select or settings.ignore or settings.extend_select or settings.extend_ignore or settings.severity)

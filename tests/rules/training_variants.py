"""Forms in which one training program can be written: names, helper functions, methods, files, imports and contexts vary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

IMPORTS = "import torch\nfrom torch import nn\n"
ALIASED = "import torch as th\nimport torch.nn as layers\n"
_CALL = re.compile(r"^(\s*)(\w+\.\w+\(.*\))$")


@dataclass(frozen=True)
class Training:
    """A program in parts: ``setup`` binds ``names``, which are all that ``body`` takes from it; ``head`` is the
    loop around them, empty where the body has its own; ``parts`` are further definitions."""

    setup: str
    body: str
    names: Sequence[str]
    head: str = "for _ in range(100):"
    parts: str = ""
    #: Names that another one may stand for.
    renamed: Sequence[tuple[str, str]] = field(
        default=(("model", "net"), ("optimizer", "opt"), ("loss", "objective"), ("scaler", "grad_scaler"), ("x", "inputs"))
    )

    def looped(self, body: str) -> str:
        return f"{self.head}\n{indent(body, '    ')}" if self.head else body

    @property
    def _taken(self) -> str:
        return ", ".join(self.names)

    def plain(self) -> str:
        return f"{IMPORTS}\n\n{self.parts}\n\n{self.setup}\n{self.looped(self.body)}"

    def in_main(self) -> str:
        main = indent(f"{self.setup}\n{self.looped(self.body)}", "    ")
        return f"{IMPORTS}\n\n{self.parts}\n\ndef main():\n{main}\n\nif __name__ == '__main__':\n    main()\n"

    def under_other_names(self) -> str:
        text = self.plain()
        for old, new in self.renamed:
            text = re.sub(rf"\b{old}\b", new, text)
        return text

    def with_aliased_imports(self) -> str:
        code = self.plain().removeprefix(IMPORTS)
        for old, new in (("torch", "th"), ("nn", "layers")):
            code = re.sub(rf"(?<![\w.]){old}\.", f"{new}.", code)
        return ALIASED + code

    def in_helper(self) -> str:
        helper = f"def one_pass({self._taken}):\n{indent(self.body, '    ')}\n"
        return f"{IMPORTS}\n\n{self.parts}\n\n{helper}\n\n{self.setup}\n{self.looped(f'one_pass({self._taken})')}\n"

    def under_context(self) -> str:
        around = f"with torch.enable_grad():\n{indent(self.body, '    ')}"
        return f"{IMPORTS}\n\n{self.parts}\n\n{self.setup}\n{self.looped(around)}"

    def decorated(self) -> str:
        helper = f"@torch.enable_grad()\ndef one_pass({self._taken}):\n{indent(self.body, '    ')}\n"
        return f"{IMPORTS}\n\n{self.parts}\n\n{helper}\n\n{self.setup}\n{self.looped(f'one_pass({self._taken})')}\n"

    def in_class(self) -> str:
        body = re.sub(rf"(?<![\w.])({'|'.join(self.names)})\b(?!=)", r"self.\1", self.looped(self.body))
        kept = "".join(f"        self.{name} = {name}\n" for name in self.names)
        cls = (
            f"class Trainer:\n    def __init__(self, {self._taken}):\n{kept}\n    def run(self):\n{indent(body, '        ')}\n"
        )
        return f"{IMPORTS}\n\n{self.parts}\n\n{cls}\n\n{self.setup}\nTrainer({self._taken}).run()\n"

    def calls_in_helpers(self) -> str:
        """Each statement that is a call of a method of one of the names stands in a function of its own."""
        helpers, lines = [], []
        for number, line in enumerate(self.body.splitlines()):
            match = _CALL.match(line)
            used = [name for name in self.names if re.search(rf"\b{name}\b", line)]
            if match and used and match[2].split(".")[0] in self.names:
                helpers.append(f"def part_{number}({', '.join(used)}):\n    {match[2]}\n")
                lines.append(f"{match[1]}part_{number}({', '.join(used)})")
            else:
                lines.append(line)
        body = "\n".join(lines)
        return f"{IMPORTS}\n\n{self.parts}\n\n" + "\n\n".join(helpers) + f"\n\n{self.setup}\n{self.looped(body)}\n"

    def texts(self) -> Iterator[tuple[str, str]]:
        """Each form in one file, with its name."""
        for make in (
            self.plain, self.in_main, self.under_other_names, self.with_aliased_imports, self.in_helper, self.under_context,
            self.decorated, self.in_class, self.calls_in_helpers,
        ):  # fmt: skip
            yield make.__name__, make()

    def files(self) -> dict[str, str]:
        """The form across files: the pass of the loop in a module of its own."""
        helper = f"{IMPORTS}\n\n{self.parts}\n\ndef one_pass({self._taken}):\n{indent(self.body, '    ')}\n"
        names = re.findall(r"^(?:class|def) (\w+)", self.parts, re.M)
        imported = f"from steps import {', '.join(['one_pass', *names])}\n"
        return {
            "steps.py": helper,
            "main.py": f"{IMPORTS}{imported}\n\n{self.setup}\n{self.looped(f'one_pass({self._taken})')}\n",
        }


def codes(text: str, session: Session) -> list[str]:
    """The codes of what is reported for a text."""
    result = session.check_bytes(Path("/snippet/example.py"), text.encode())
    assert not result.notices, [notice.message for notice in result.notices]
    return [finding.code for finding in result.findings]


def codes_of_files(files: dict[str, str], folder: Path) -> list[str]:
    """The codes of what is reported for several files, in whichever of them it is told."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True, overrides={"select": ("ALL",)}))
    return [finding.code for name in files for finding in session.check_file(folder / name).findings]

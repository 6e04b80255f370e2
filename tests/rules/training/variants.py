"""Structural variants of a program: the same statements under other names, in helpers, methods and other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MAIN: Final = "main.py"


@dataclass(frozen=True, slots=True)
class Case:
    """Statements of a program: ``imports``, ``setup``, which makes objects under the names ``names``, and ``body``, in which
    the fault is. ``code`` is the rule's."""

    code: str
    imports: str
    setup: str
    body: str
    names: tuple[str, ...]


def indented(text: str, depth: int = 1) -> str:
    return "".join(f"{'    ' * depth}{line}\n" if line else "\n" for line in text.strip("\n").split("\n"))


def _renamed(text: str, names: Sequence[str], form: str) -> str:
    for name in names:
        text = re.sub(rf"(?<![\w.\"']){name}\b(?!\s*=[^=])(?![\"'])|(?<![\w.]){name}\b(?=\s*=[^=])", form.format(name), text)
    return text


def plain(case: Case) -> dict[str, str]:
    return {MAIN: f"{case.imports}\n\n{case.setup}\n{case.body}\n"}


def renamed(case: Case) -> dict[str, str]:
    setup, body = (_renamed(text, case.names, "my_{0}_1") for text in (case.setup, case.body))
    return {MAIN: f"{case.imports}\n\n{setup}\n{body}\n"}


def in_function(case: Case) -> dict[str, str]:
    return {MAIN: f"{case.imports}\n\n\ndef run():\n{indented(case.setup)}{indented(case.body)}\n\nrun()\n"}


def in_guard(case: Case) -> dict[str, str]:
    inner = f'def main(amount=3):\n{indented(case.setup)}{indented(case.body)}\n\nif __name__ == "__main__":\n    main()\n'
    return {MAIN: f"{case.imports}\n\n\n{inner}"}


def in_helper(case: Case) -> dict[str, str]:
    names = ", ".join(case.names)
    helper = f"def helper({names}):\n{indented(case.body)}"
    return {MAIN: f"{case.imports}\n\n\n{helper}\n\n{case.setup}\nhelper({names})\n"}


def in_method(case: Case) -> dict[str, str]:
    names = ", ".join(case.names)
    kept = "\n".join(f"self.{name} = {name}" for name in case.names)
    body = _renamed(case.body, case.names, "self.{0}")
    cls = f"class Work:\n    def __init__(self, {names}):\n{indented(kept, 2)}\n    def run(self):\n{indented(body, 2)}"
    return {MAIN: f"{case.imports}\n\n\n{cls}\n\n{case.setup}\nWork({names}).run()\n"}


def in_other_file(case: Case) -> dict[str, str]:
    names = ", ".join(case.names)
    helper = f"{case.imports}\n\n\ndef helper({names}):\n{indented(case.body)}"
    return {"parts.py": helper, MAIN: f"{case.imports}\nfrom parts import helper\n\n{case.setup}\nhelper({names})\n"}


def in_with(case: Case) -> dict[str, str]:
    return {MAIN: f"{case.imports}\n\n{case.setup}\nwith open('log.txt', 'w') as log:\n{indented(case.body)}"}


def decorated(case: Case) -> dict[str, str]:
    wrap = "def kept(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n"
    wrap += "        return function(*args, **kwargs)\n\n    return inner\n"
    run = f"@kept\ndef run():\n{indented(case.setup)}{indented(case.body)}\n\nrun()\n"
    return {MAIN: f"import functools\n{case.imports}\n\n\n{wrap}\n\n{run}"}


def aliased(case: Case) -> dict[str, str]:
    text = f"{case.imports}\n\n{case.setup}\n{case.body}\n"
    text = re.sub(r"^import torch$", "import torch as t", text, flags=re.M).replace(
        "from torch import nn", "import torch.nn as layers"
    )
    text = re.sub(r"\btorch\.(?!nn as)", "t.", text)
    text = text.replace("import t.nn as layers", "import torch.nn as layers")
    text = re.sub(r"\btf\b", "flow", text)
    return {MAIN: re.sub(r"\bnn\.", "layers.", text).replace("import torch.layers as", "import torch.nn as")}


def inherited(case: Case) -> dict[str, str]:
    """The body is a method of a base class whose objects are of a class that derives from it and keeps what it works with."""
    names = ", ".join(case.names)
    kept = "\n".join(f"self.{name} = {name}" for name in case.names)
    base = f"class Base:\n    def run(self):\n{indented(_renamed(case.body, case.names, 'self.{0}'), 2)}"
    cls = f"class Work(Base):\n    def __init__(self, {names}):\n        super().__init__()\n{indented(kept, 2)}"
    return {MAIN: f"{case.imports}\n\n\n{base}\n\n{cls}\n\n{case.setup}\nWork({names}).run()\n"}


def in_closure(case: Case) -> dict[str, str]:
    """The body is a function that another one makes around its arguments."""
    names = ", ".join(case.names)
    inner = f"    def inner():\n{indented(case.body, 2)}\n    return inner\n"
    return {MAIN: f"{case.imports}\n\n\ndef enclosing({names}):\n{inner}\n\n{case.setup}\nrun = enclosing({names})\nrun()\n"}


def partly_given(case: Case) -> dict[str, str]:
    """The arguments of the body are given by ``functools.partial``."""
    names = ", ".join(case.names)
    given = ", ".join(f"{name}={name}" for name in case.names)
    helper = f"def helper({names}):\n{indented(case.body)}"
    call = f"run = functools.partial(helper, {given})\nrun()\n"
    return {MAIN: f"import functools\n{case.imports}\n\n\n{helper}\n\n{case.setup}\n{call}"}


def of_dictionary(case: Case) -> dict[str, str]:
    """What the body works with is kept in a dictionary, and the body in another one, by name."""
    kept = ", ".join(f'"{name}": {name}' for name in case.names)
    taken = "\n".join(f'{name} = parts["{name}"]' for name in case.names)
    helper = f"def helper(parts):\n{indented(taken)}{indented(case.body)}"
    call = f'JOBS = {{"train": helper}}\nJOBS["train"]({{{kept}}})\n'
    return {MAIN: f"{case.imports}\n\n\n{helper}\n\n{case.setup}\n{call}"}


def of_dataclass(case: Case) -> dict[str, str]:
    """What the body works with are the fields of a data class."""
    fields = "\n".join(f"{name}: object" for name in case.names)
    names = ", ".join(case.names)
    body = _renamed(case.body, case.names, "self.{0}")
    cls = f"@dataclass\nclass Work:\n{indented(fields)}\n    def run(self):\n{indented(body, 2)}"
    start = f"from dataclasses import dataclass\n{case.imports}\n\n\n"
    return {MAIN: f"{start}{cls}\n\n{case.setup}\nWork({names}).run()\n"}


def in_context_manager(case: Case) -> dict[str, str]:
    """The body runs within a context of the program's own."""
    noted = '@contextmanager\ndef announced(name):\n    print("start", name)\n    yield\n    print("end", name)\n'
    start = f"from contextlib import contextmanager\n{case.imports}\n\n\n{noted}\n\n"
    return {MAIN: f'{start}{case.setup}\nwith announced("job"):\n{indented(case.body)}'}


def with_command_line(case: Case) -> dict[str, str]:
    """The body is the work of a function that gets the options of a command line, too."""
    parser = 'parser = argparse.ArgumentParser()\nparser.add_argument("--verbose", action="store_true")\n'
    names = ", ".join(case.names)
    helper = f"def helper(args, {names}):\n    if args.verbose:\n        print(args)\n{indented(case.body)}"
    main = f"def main():\n{indented(parser)}    args = parser.parse_args()\n{indented(case.setup)}    helper(args, {names})\n"
    guard = 'if __name__ == "__main__":\n    main()\n'
    return {MAIN: f"import argparse\n{case.imports}\n\n\n{helper}\n\n{main}\n\n{guard}"}


FORMS: Final[dict[str, Callable[[Case], dict[str, str]]]] = {
    form.__name__: form
    for form in (
        plain, renamed, in_function, in_guard, in_helper, in_method, in_other_file, in_with, decorated, aliased, inherited,
        in_closure, partly_given, of_dictionary, of_dataclass, in_context_manager, with_command_line
    )
}  # fmt: skip


def found(files: dict[str, str], folder: Path, codes: Sequence[str] = ()) -> list[str]:
    """The codes that are reported of a program, in any of its files."""
    for name, text in files.items():
        compile(text, name, "exec")
        (folder / name).write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True, overrides={"select": tuple(codes) or ("ALL",)}))
    results = [session.check_file(folder / name) for name in files]
    assert not any(result.notices for result in results)
    return [finding.code for result in results for finding in result.findings]

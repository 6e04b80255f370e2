"""``dllint dev new-rule``: the file of a rule with its page, examples and an honest first test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from dllint.dev.scaffold import REPOSITORY, class_name, module_name, require, write_new
from dllint.rules._index import RULES

_RULE: Final = '''"""{code}: one sentence, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.rules.context import Context
from dllint.rules.rule import Rule


class {cls}(Rule[Op]):
    """One sentence, what is wrong.

    ## What it finds
    The condition, in terms of what the program computes.

    ## Why it is bad
    What the reader loses.

    ## Bad
    ```python
    import torch

    x = torch.zeros(2, 3)
    y = torch.relu(x)  # error: [{code}]
    ```

    ## Good
    ```python
    import torch

    x = torch.zeros(2, 3)
    ```

    ## When it stays silent
    The look-alikes that are no fault.

    ```python
    import torch

    y = torch.zeros(2, 3).sigmoid()
    ```

    ## References
    - The catalogue's entry {code}.
    """

    code = "{code}"
    name = "{name}"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = None
    topics: ClassVar[tuple[str, ...]] = ("op:relu",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """Report every item until the condition is written."""
        yield context.finding(self, item, "what is wrong, with the actual shapes", advice="change this or that")
'''

_CASES: Final = """# {code} {name}

## The fault in its plainest form

```python
import torch

x = torch.zeros(2, 3)
y = torch.relu(x)  # error: [{code}]
```

## The nearest program without the fault

```python
import torch

x = torch.zeros(2, 3)
```
"""


@click.command("new-rule")
@click.argument("code")
@click.argument("name")
@click.option("--family", required=True, help="The folder below dllint/rules: structure, tensor, numeric, loss, api …")
@click.option("--into", type=click.Path(path_type=Path), default=REPOSITORY, help="The repository to write into.")
def command(code: str, name: str, family: str, into: Path) -> None:
    """Write the rule CODE (DLT123) called NAME (in-kebab-case) and its test cases."""
    require(r"DL[A-Z]\d{3}", code, "CODE")
    require(r"[a-z0-9]+(-[a-z0-9]+)+", name, "NAME")
    require(r"[a-z]+", family, "--family")
    for row in RULES:
        if code == row.code or name == row.name:
            raise click.UsageError(f"{row.code} {row.name} exists already")
    words = {"code": code, "name": name, "cls": class_name(name)}
    stem = module_name(name)
    write_new(
        {
            into / "dllint" / "rules" / family / f"{stem}.py": _RULE.format(**words),
            into / "tests" / "rules" / family / f"{stem}.md": _CASES.format(**words),
        }
    )
    click.echo("next: write the condition, then `python -m dllint.dev.index` and `dllint dev docs`")

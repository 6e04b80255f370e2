"""Printed report for a program that is diagnosed from inside."""

from __future__ import annotations

import sys
from typing import TextIO

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.headline import headline
from dllint.source.neutral import neutral, neutral_path


def tell(diagnosis: Diagnosis, stream: TextIO | None = None) -> None:
    """Print one line per finding, what cannot be said, and the verdict; by default on standard error, if there is one."""
    out = stream or sys.stderr
    if out is None:
        return
    for finding in diagnosis.findings:
        first = finding.location.span.first
        where = f"{neutral_path(finding.location.path)}:{first.line}:{first.column}"
        print(f"{where}: {finding.code} {neutral(finding.message)}", file=out)
    for remark in diagnosis.remarks:
        print(f"dllint: {neutral(remark)}", file=out)
    print(f"dllint: {neutral(headline(diagnosis).text)}", file=out)

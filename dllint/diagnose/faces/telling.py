"""What a program that is diagnosed from inside is told."""

from __future__ import annotations

import sys
from typing import TextIO

from dllint.diagnose.conclusion import Diagnosis


def tell(diagnosis: Diagnosis, stream: TextIO | None = None) -> None:
    """Print one line per finding, and what cannot be said."""
    out = stream or sys.stderr
    for finding in diagnosis.findings:
        first = finding.location.span.first
        print(f"{finding.location.path}:{first.line}:{first.column}: {finding.code} {finding.message}", file=out)
    for remark in diagnosis.remarks:
        print(f"dllint: {remark}", file=out)
    if not diagnosis.findings:
        print("dllint: no symptom was found", file=out)

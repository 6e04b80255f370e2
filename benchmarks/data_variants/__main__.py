"""Check programs whose author had not read the rules, each with one fault of data, losses, structure or use, and their twins.

python -m benchmarks.data_variants [--only CODES] [--missed] [--run]

Judged as the training variants are (``benchmarks.training_variants``), with the findings of these families of rules on twins.
Writes ``results/data-variants.json``, unless ``--only`` is given; the exit status is 1 if a finding on a twin has no verdict
in ``verdicts.tsv``. ``--run`` runs the programs instead: status 1 if one does not raise or run as the table says.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks import results
from benchmarks.training_variants.__main__ import is_refuted, measured, shown
from benchmarks.training_variants.checking import FAMILIES, findings, is_found, variants, verdicts

HERE = Path(__file__).parent
#: The families whose findings on twins are counted.
COUNTED = (*FAMILIES, "DLD", "DLL", "DLS", "DLA")


def main() -> int:
    """Check, print and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="codes of faults, comma-separated; nothing is written then")
    parser.add_argument("--missed", action="store_true", help="list what is said of the faults that are missed")
    parser.add_argument("--run", action="store_true", help="run the programs instead of checking them")
    options = parser.parse_args()
    only = {code for code in options.only.split(",") if code}
    chosen = [variant for variant in variants(HERE / "variants.tsv", HERE) if not only or variant.code in only]
    if options.run:
        return int(sum(is_refuted(variant) for variant in chosen if not variant.seen.startswith("not run")) > 0)
    faults = {variant: findings(variant.program("fault")) for variant in chosen}
    twins = {variant: findings(variant.program("twin")) for variant in chosen}
    figures = measured(faults, twins, verdicts(HERE / "verdicts.tsv"), COUNTED)
    print(json.dumps(figures, indent=1))
    for variant, said in faults.items() if options.missed else ():
        if is_found(variant, said) is None:
            print(f"{variant.code} {variant.name}: {sorted(variant.places)}", *map(shown, said), sep="\n    ")
    if not only:
        print("written:", results.write("data-variants", figures).name)
    return int("not judged" in figures["findings on twins"])


if __name__ == "__main__":
    raise SystemExit(main())

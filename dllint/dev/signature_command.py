"""``dllint dev signatures``: the command around :mod:`dllint.dev.signatures`."""

from __future__ import annotations

import click

from dllint.dev.signatures import LIBRARIES, main


@click.command("signatures")
@click.argument("libraries", nargs=-1, type=click.Choice(list(LIBRARIES)))
def command(libraries: tuple[str, ...]) -> None:
    """Write the signature data of LIBRARIES (default: all), which must be installed."""
    main(list(libraries) or list(LIBRARIES))

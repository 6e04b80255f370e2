"""The tables of einops as the registry loads them; importing this module registers the protocol handlers."""

from dllint.frameworks.einops import packing as _packing  # noqa: F401
from dllint.frameworks.einops import protocols as _protocols  # noqa: F401

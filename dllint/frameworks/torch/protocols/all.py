"""Importing this module registers every handler of torch."""

from dllint.frameworks.torch.protocols import (  # noqa: F401
    at_least,
    autocast,
    containers,
    conversion,
    data,
    distributions,
    element_types,
    layer_attributes,
    memory,
    module,
    optimization,
    overloads,
    packed,
    pretrained_tables,
    splitting,
    stacks,
    tensor_attributes,
    tensor_creation,
    transformer,
    wrappers,
)

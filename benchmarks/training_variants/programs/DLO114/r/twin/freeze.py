"""Freeze the first blocks of a network."""


def freeze_first(network, count):
    for block in network.blocks[:count]:
        block.requires_grad_(False)

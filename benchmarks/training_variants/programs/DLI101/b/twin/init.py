from torch import nn

SCHEMES = {
    "orthogonal": nn.init.orthogonal_,
    "ones": nn.init.ones_,
}


def init_layer(module, scheme="orthogonal"):
    if isinstance(module, nn.Linear):
        SCHEMES[scheme](module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)

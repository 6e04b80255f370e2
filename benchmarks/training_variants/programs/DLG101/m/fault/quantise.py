import functools

import torch
from torch import nn


def observe(fn):
    """Remember the error that a quantiser makes on each tensor it is given."""

    @functools.wraps(fn)
    def wrapper(self, tensor):
        quantised = fn(self, tensor)
        self.errors.append((tensor - quantised).abs().max().item())
        return quantised

    return wrapper


class Quantiser:
    def __init__(self, bits=4):
        self.top = 2 ** (bits - 1) - 1
        self.errors = []

    @observe
    @torch.no_grad()
    def fake(self, tensor):
        scale = tensor.abs().amax() / self.top
        codes = tensor / scale
        codes.round().clamp(-self.top, self.top)
        return codes * scale


def quantised_copy(state, quantiser):
    return {
        name: quantiser.fake(value) if value.dim() > 1 else value
        for name, value in state.items()
    }


def main():
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
    quantiser = Quantiser()
    net.load_state_dict(quantised_copy(net.state_dict(), quantiser))
    with torch.inference_mode():
        print(net(torch.ones(2, 12)).sum().item())
    print("worst error", max(quantiser.errors) > 0)


if __name__ == "__main__":
    main()

import io

import torch
from torch import nn

MODELS = {"small": lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))}


def restore(name, stream):
    net = MODELS[name]()
    net.load_state_dict(torch.load(stream, weights_only=True))
    return net


def main():
    torch.manual_seed(0)
    stream = io.BytesIO()
    torch.save(MODELS["small"]().state_dict(), stream)
    stream.seek(0)
    net = restore("small", stream)
    net.eval()
    with torch.no_grad():
        print(net(torch.ones(1, 3)).shape)


if __name__ == "__main__":
    main()

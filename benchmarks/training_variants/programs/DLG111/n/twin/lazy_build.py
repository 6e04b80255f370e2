import torch
from torch import nn


def materialise(net, device):
    net.to_empty(device=device)
    for layer in net.modules():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()
    return net


def build(cfg):
    with torch.device("meta"):
        net = nn.Sequential(nn.Linear(cfg["inputs"], cfg["width"]), nn.ReLU(), nn.Linear(cfg["width"], 1))
    net = materialise(net, cfg["device"])
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg["lr"])
    return net, optimizer


def main():
    torch.manual_seed(0)
    cfg = {"inputs": 5, "width": 16, "lr": 0.05, "device": "cpu"}
    net, optimizer = build(cfg)
    x = torch.randn(64, 5)
    y = x[:, :1] - x[:, 1:2]
    history = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    print("improved:", history[-1] < 0.9 * history[0])


if __name__ == "__main__":
    main()

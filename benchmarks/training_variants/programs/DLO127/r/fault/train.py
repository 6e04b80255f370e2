"""Weight decay by groups."""
import torch
from torch import nn


def groups(model, decay):
    with_decay, without = [], []
    for name, parameter in model.named_parameters():
        (without if parameter.ndim == 1 else with_decay).append(parameter)
    return [{"params": with_decay, "weight_decay": decay}, {"params": without, "weight_decay": 0.0}]


def main():
    torch.manual_seed(0)
    x = torch.randn(160, 9)
    y = x[:, :4].argmax(1)
    model = nn.Sequential(nn.Linear(9, 48), nn.LayerNorm(48), nn.ReLU(), nn.Linear(48, 4))
    optimizer = torch.optim.Adam(groups(model, 0.05), lr=1e-3)
    for epoch in range(4):
        for xb, yb in zip(x.split(20), y.split(20)):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

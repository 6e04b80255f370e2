import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from model import make_network


def epoch_pass(network, loader, optimizer):
    network.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(network(x).squeeze(-1), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main(config):
    torch.manual_seed(config["seed"])
    x = torch.rand(320, 5)
    y = 10 * torch.sin(3.14 * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
    for epoch in range(config["epochs"]):
        network = make_network(5, config["hidden"])
        optimizer = torch.optim.Adam(network.parameters(), lr=config["lr"])
        loss = epoch_pass(network, loader, optimizer)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} loss {loss:.3f}")
    torch.save(network.state_dict(), "friedman.pt")


if __name__ == "__main__":
    main({"seed": 1, "hidden": [32, 32], "lr": 1e-2, "epochs": 10})

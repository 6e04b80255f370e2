import argparse

import torch
from sklearn.metrics import mean_absolute_error, r2_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.inp = nn.Linear(features, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x))).squeeze(-1)


def report(name, target, prediction):
    print(f"{name}: MAE {mean_absolute_error(target, prediction):.3f} R2 {r2_score(target, prediction):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(240, 6)
    y = x[:, 0] - 2 * x[:, 1] + 0.1 * torch.randn(240)
    loader = DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True)
    model = Regressor(6, args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    for epoch in range(args.epochs):
        targets, predictions = [], []
        for features, target in loader:
            prediction = model(features)
            loss = nn.functional.mse_loss(prediction, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            targets.append(target)
            predictions.append(prediction.detach())
        report(f"epoch {epoch}", torch.cat(targets).numpy(), torch.cat(predictions).numpy())


if __name__ == "__main__":
    main()

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=5, delta=0.0):
        self.patience, self.delta = patience, delta
        self.best_score, self.best_state, self.counter = None, None, 0

    def __call__(self, val_loss, model):
        if self.best_score is None or val_loss < self.best_score - self.delta:
            self.best_score, self.counter = val_loss, 0
            self.best_state = model.state_dict()
            return False
        self.counter += 1
        return self.counter >= self.patience

    def restore(self, model):
        model.load_state_dict(self.best_state)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 10)
    y = x[:, 0] + 0.8 * torch.randn(80)
    model, stopper = Regressor(), EarlyStopping(patience=10)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(60):
        model.train()
        for i in torch.randperm(50).split(10):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[i]), y[i]).backward()
            optimizer.step()
        if stopper(validate(model, x[50:], y[50:]), model):
            break
    stopper.restore(model)
    print(f"best {stopper.best_score:.4f} restored {validate(model, x[50:], y[50:]):.4f}")


if __name__ == "__main__":
    main()

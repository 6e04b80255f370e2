import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

SEED = 2024


class CreditNet(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def load():
    grid = np.arange(600, dtype="float64").reshape(100, 6)
    x = np.sin(grid * 12.9898) * 3
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0).astype("float32")


def prepare(x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.3, random_state=SEED)
    scaler = StandardScaler().fit(x_train)
    tensors = (scaler.transform(x_train), scaler.transform(x_test), y_train, y_test)
    return [torch.tensor(t, dtype=torch.float32) for t in tensors]


def main():
    torch.manual_seed(SEED)
    x_train, x_test, y_train, y_test = prepare(*load())
    model = CreditNet(x_train.size(1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for _ in range(20):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(x_train), y_train).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print("AUC", round(roc_auc_score(y_test.numpy(), model(x_test).numpy()), 3))


if __name__ == "__main__":
    main()

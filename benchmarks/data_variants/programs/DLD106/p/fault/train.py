"""Gene expression classifier: choose the best genes, then train a network."""
import numpy as np
import torch
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import train_test_split
from torch import nn


def expression(patients=120, genes=3000, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(patients, genes)), rng.integers(0, 2, patients)


def select(k):
    return SelectKBest(f_classif, k=k)


def as_tensors(*arrays):
    return [torch.as_tensor(a, dtype=torch.float32 if a.dtype.kind == "f" else torch.long) for a in arrays]


def train(x, y, epochs=30):
    model = nn.Sequential(nn.Linear(x.shape[1], 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-2)
    for _ in range(epochs):
        model.train()
        for index in torch.randperm(len(x)).split(16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[index]), y[index]).backward()
            optimizer.step()
    return model.eval()


def main():
    torch.manual_seed(0)
    x, y = expression()
    x = select(20).fit_transform(x, y)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.4, random_state=0, stratify=y)
    x_train, x_test, y_train, y_test = as_tensors(x_train, x_test, y_train, y_test)
    model = train(x_train, y_train)
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"test accuracy on pure noise {accuracy:.3f}")


if __name__ == "__main__":
    main()

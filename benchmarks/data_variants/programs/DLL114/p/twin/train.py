"""Defect detection; precision and recall are reported by scikit-learn."""
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split
from torch import nn


def parts(seed):
    x, y = make_classification(1500, 12, n_informative=6, weights=[0.85], class_sep=0.8, random_state=seed)
    split = train_test_split(x.astype("float32"), y, test_size=0.3, random_state=seed, stratify=y)
    return [torch.from_numpy(a) for a in split]


def fit(x, y, epochs=12):
    model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    model.train()
    for _ in range(epochs):
        for index in torch.randperm(len(x)).split(50):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[index]), y[index]).backward()
            optimizer.step()
    return model


def report(model, x, y):
    model.eval()
    with torch.no_grad():
        predicted = model(x).argmax(dim=1).numpy()
    truth = y.numpy()
    return precision_score(truth, predicted), recall_score(truth, predicted)


def main():
    torch.manual_seed(6)
    x_train, x_test, y_train, y_test = parts(seed=6)
    print("precision %.3f recall %.3f" % report(fit(x_train, y_train), x_test, y_test))


if __name__ == "__main__":
    main()

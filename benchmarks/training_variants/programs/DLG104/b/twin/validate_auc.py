import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from scores import ScoreBook


def loaders():
    data = load_breast_cancer()
    x = torch.tensor(data.data, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    y = torch.tensor(data.target)
    order = torch.randperm(len(x))
    parts = [TensorDataset(x[i], y[i]) for i in (order[:400], order[400:])]
    return DataLoader(parts[0], batch_size=40, shuffle=True), DataLoader(parts[1], batch_size=80)


def fit(net, loader, epochs):
    """Train, and find the threshold on the scores of the last pass."""
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        book = ScoreBook()
        net.train()
        for x, y in loader:
            logits = net(x).squeeze(1)
            loss = nn.functional.binary_cross_entropy_with_logits(logits, y.float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            book.add(torch.sigmoid(logits.detach()), y)
        threshold, accuracy = book.best_threshold()
        print(f"epoch {epoch}: threshold {threshold:.2f} accuracy {accuracy:.3f}")
    return threshold


@torch.no_grad()
def evaluate(net, loader, threshold):
    net.eval()
    book = ScoreBook()
    for x, y in loader:
        book.add(torch.sigmoid(net(x).squeeze(1)), y)
    right = sum(int(((scores > threshold) == labels).sum()) for scores, labels in zip(book.scores, book.labels))
    return right / sum(len(labels) for labels in book.labels)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_loader, test_loader = loaders()
    net = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
    threshold = fit(net, train_loader, epochs=3)
    print(f"held out accuracy {evaluate(net, test_loader, threshold):.3f}")

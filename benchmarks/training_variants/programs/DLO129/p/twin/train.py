"""Pick the best epoch of a noisy-label run by a clean validation set."""
import torch
import torch.nn as nn
from sklearn.datasets import make_classification


class BestKeeper:
    """Remembers the parameters with the best score so far."""

    def __init__(self, model):
        self.model = model
        self.score, self.weights = -1.0, None

    def offer(self, score):
        if score > self.score:
            self.score = score
            self.weights = {name: value.detach().clone() for name, value in self.model.state_dict().items()}

    def restore(self):
        self.model.load_state_dict(self.weights)


def noisy_problem(seed):
    x, y = make_classification(900, 30, n_informative=8, class_sep=1.0, flip_y=0.0, random_state=seed)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    noisy = y.clone()
    flip = torch.rand(len(y), generator=torch.Generator().manual_seed(seed)) < 0.3
    noisy[flip] = 1 - noisy[flip]
    return (x[:400], noisy[:400]), (x[400:650], y[400:650]), (x[650:], y[650:])


@torch.no_grad()
def accuracy(model, split):
    model.eval()
    x, y = split
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(2)
    train, valid, test = noisy_problem(seed=2)
    model = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    keeper = BestKeeper(model)
    x, y = train
    for _ in range(30):
        model.train()
        for idx in torch.randperm(len(x)).split(40):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[idx]), y[idx]).backward()
            optimizer.step()
        keeper.offer(accuracy(model, valid))
    keeper.restore()
    print(f"best validation {keeper.score:.3f}, restored validation {accuracy(model, valid):.3f}, test {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()

import torch
from sklearn.datasets import load_iris
from torch import nn

from zoo import get_network


class Experiment:
    def __init__(self, name):
        self.name = name
        iris = load_iris()
        x = torch.tensor(iris.data, dtype=torch.float32)
        self.x = (x - x.mean(0)) / x.std(0)
        self.y = torch.tensor(iris.target)
        self.order = torch.randperm(len(self.x))

    def network(self):
        return get_network(self.name, 4, 3)

    def train(self, index, epochs=60):
        network = self.network()
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
        network.train()
        for _ in range(epochs):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(network(self.x[index]), self.y[index])
            loss.backward()
            optimizer.step()
        return network

    @torch.no_grad()
    def evaluate(self, network, index):
        network.eval()
        return (network(self.x[index]).argmax(1) == self.y[index]).float().mean().item()

    def run(self, folds=5):
        scores = []
        for fold in self.order.chunk(folds):
            keep = torch.ones(len(self.x), dtype=torch.bool)
            keep[fold] = False
            self.train(keep.nonzero().squeeze(1))
            scores.append(self.evaluate(self.network(), fold))
        return sum(scores) / len(scores)


if __name__ == "__main__":
    torch.manual_seed(0)
    print(f"mean accuracy {Experiment('mlp').run():.4f}")

import torch
from torch import nn


class Judge:
    def __init__(self, net):
        self.net = net

    @torch.no_grad()
    def score(self, batches, limit=None):
        right = count = 0
        for number, (x, y) in enumerate(batches):
            if limit is not None and number >= limit:
                break
            logits = self.net(x)
            right += logits.softmax(1).gather(1, y[:, None]).sum().item()
            count += len(y)
        return round(right / max(count, 1), 5)


def train(net, batches, epochs=2):
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
    return net


def main():
    torch.manual_seed(0)
    batches = [(torch.randn(16, 6), torch.randint(2, (16,))) for _ in range(6)]
    net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 2))
    judge = Judge(train(net, batches[:4]))
    print("repeatable:", judge.score(batches[4:]) == judge.score(batches[4:], limit=2))


if __name__ == "__main__":
    main()

import torch
from torch import nn


def predictions(net, batches):
    was = net.training
    net.eval()
    try:
        for x, y in batches:
            with torch.no_grad():
                out = net(x)
            yield out, y
    finally:
        net.train(was)


def evaluate(net, batches):
    pairs = [((out.argmax(1) == y).sum().item(), len(y)) for out, y in predictions(net, batches)]
    right, count = map(sum, zip(*pairs))
    return right / count


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    data = [(torch.randn(16, 6), torch.randint(2, (16,))) for _ in range(6)]
    for x, y in data[:4]:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    print(evaluate(net, data[4:]))


if __name__ == "__main__":
    main()

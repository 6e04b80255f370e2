import torch
from torch import nn


def validate(net, x, y):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


def epochs(net, optimizer, train, valid, count):
    net.train()
    for number in range(count):
        x, y = train
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        yield number, net.training, validate(net, *valid)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    x = torch.randn(80, 4)
    y = x.prod(1, keepdim=True)
    for number, training, loss in epochs(net, optimizer, (x[:64], y[:64]), (x[64:], y[64:]), 3):
        print(number, training, loss > 0)
    print("batches seen by the norm:", int(net[1].num_batches_tracked))


if __name__ == "__main__":
    main()

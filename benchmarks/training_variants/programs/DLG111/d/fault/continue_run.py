import torch
from torch import nn

import state

PATH = "run.pt"


def network():
    return nn.Sequential(nn.Linear(10, 32), nn.Mish(), nn.Linear(32, 1))


def session(steps, device):
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    begin = state.restore(PATH, model, optimizer)
    model = model.to(device)
    for step in range(begin, begin + steps):
        x = torch.randn(64, 10, device=device)
        loss = nn.functional.huber_loss(model(x).squeeze(1), x.abs().sum(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    state.save(PATH, model, optimizer, begin + steps)
    print("steps %d..%d loss %.4f" % (begin, begin + steps, loss.item()))


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    session(20, where)
    session(20, where)

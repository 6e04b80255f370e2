import torch
from torch import nn

from stopper import EarlyStopping


class Ranker(nn.Module):
    def __init__(self, users, items, dim=24):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(dim=1)


def interactions(n):
    user, item = torch.randint(0, 40, (n,)), torch.randint(0, 40, (n,))
    return user, item, ((user + item) % 3 == 0).float()


def score(model, data):
    model.eval()
    user, item, clicked = data
    with torch.no_grad():
        return -nn.functional.binary_cross_entropy_with_logits(model(user, item), clicked).item()


def main():
    torch.manual_seed(0)
    train, valid = interactions(600), interactions(300)
    model, stopper = Ranker(40, 40), EarlyStopping()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-2)
    for epoch in range(60):
        model.train()
        user, item, clicked = train
        loss = nn.functional.binary_cross_entropy_with_logits(model(user, item), clicked)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stopper(score(model, valid), model)
        if stopper.stop:
            break
    stopper.restore(model)
    print(f"stopped at {epoch}: best {stopper.best_score:.4f} restored {score(model, valid):.4f}")


if __name__ == "__main__":
    main()

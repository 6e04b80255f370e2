import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.user = nn.Sequential(nn.Embedding(users, dim), nn.Linear(dim, dim), nn.Tanh())
        self.item = nn.Sequential(nn.Embedding(items, dim), nn.Linear(dim, dim), nn.Tanh())

    def forward(self, user, item):
        return (self.user(user).unsqueeze(1) * self.item(item)).sum(-1)


def train_epoch(model, optimizer, pairs, n_items):
    model.train()
    for user, positive in pairs:
        negative = torch.randint(0, n_items, (len(user), 1))
        scores = model(user, torch.cat([positive.unsqueeze(1), negative], dim=1))
        loss = -nn.functional.logsigmoid(scores[:, 0] - scores[:, 1]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def mean_reciprocal_rank(model, pairs, n_items):
    model.eval()
    reciprocal = []
    everything = torch.arange(n_items)
    for user, positive in pairs:
        scores = model(user, everything.expand(len(user), -1))
        order = scores.argsort(dim=1, descending=True)
        rank = (order == positive.unsqueeze(1)).float().argmax(dim=1) + 1
        reciprocal.extend((1.0 / rank).tolist())
    return sum(reciprocal) / len(reciprocal)


def main(n_users=30, n_items=20):
    torch.manual_seed(8)
    user = torch.randint(0, n_users, (300,))
    item = (user * 7) % n_items
    train = list(zip(user[:240].split(40), item[:240].split(40)))
    test = list(zip(user[240:].split(20), item[240:].split(20)))
    model = TwoTower(n_users, n_items)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        train_epoch(model, optimizer, train, n_items)
        print(f"epoch {epoch} MRR {mean_reciprocal_rank(model, test, n_items):.4f}")


if __name__ == "__main__":
    main()

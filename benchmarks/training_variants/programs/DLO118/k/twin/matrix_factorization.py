import argparse

import torch


class FactorModel:
    def __init__(self, users, items, rank, reg):
        self.p = (0.1 * torch.randn(users, rank)).requires_grad_()
        self.q = (0.1 * torch.randn(items, rank)).requires_grad_()
        self.reg = reg

    def loss(self, user, item, rating):
        predicted = (self.p[user] * self.q[item]).sum(1)
        penalty = self.p[user].pow(2).sum() + self.q[item].pow(2).sum()
        return (predicted - rating).pow(2).mean() + self.reg * penalty / len(rating)

    def update(self, lr):
        with torch.no_grad():
            for factor in (self.p, self.q):
                factor -= lr * factor.grad
                factor.grad.zero_()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, default=4)
    parser.add_argument("--lr", type=float, default=2.0)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()
    torch.manual_seed(0)
    user, item = torch.randint(0, 20, (400,)), torch.randint(0, 15, (400,))
    rating = ((user % 4) * (item % 3)).float() / 3
    model = FactorModel(20, 15, args.rank, reg=1e-3)
    for epoch in range(args.epochs):
        loss = model.loss(user, item, rating)
        loss.backward()
        model.update(args.lr)
    print(f"rmse {loss.item() ** 0.5:.4f}")


if __name__ == "__main__":
    main()

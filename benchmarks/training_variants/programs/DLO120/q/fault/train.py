"""Two heads on one encoder, trained by two optimizers in turn."""
import torch
from torch import nn

torch.manual_seed(64)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 32), nn.GELU())
        self.age = nn.Linear(32, 1)
        self.sex = nn.Linear(32, 2)

    def forward(self, x):
        h = self.encoder(x)
        return self.age(h).squeeze(-1), self.sex(h)


def faces(n):
    x = torch.randn(n, 8)
    return x, x[:, :3].sum(1) + 0.1 * torch.randn(n), (x[:, 4] + x[:, 5] > 0).long()


class Alternating:
    def __init__(self, model, lr):
        self.model = model
        shared = list(model.encoder.parameters())
        self.age_opt = torch.optim.AdamW([*model.age.parameters(), *shared], lr=lr, weight_decay=1e-4)
        self.sex_opt = torch.optim.AdamW(model.sex.parameters(), lr=lr, weight_decay=1e-4)

    def step(self, x, age, sex):
        age_hat, sex_hat = self.model(x)
        age_loss = nn.functional.smooth_l1_loss(age_hat, age)
        sex_loss = nn.functional.cross_entropy(sex_hat, sex)
        self.age_opt.zero_grad()
        self.sex_opt.zero_grad()
        age_loss.backward()
        sex_loss.backward()
        self.age_opt.step()
        self.sex_opt.step()
        return age_loss.item(), sex_loss.item()


def main():
    model = TwoHeads()
    trainer = Alternating(model, lr=3e-3)
    for step in range(150):
        losses = trainer.step(*faces(64))
    print("age loss %.3f, sex loss %.3f" % losses)


main()

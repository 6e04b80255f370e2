import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.down(nn.functional.silu(self.up(self.norm(x))))


class MLPRegressor(nn.Module):
    def __init__(self, features, dim=32, depth=2):
        super().__init__()
        self.inp = nn.Linear(features, dim)
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x))).squeeze(-1)


class AmpTrainer:
    def __init__(self, model, lr=3e-3, max_norm=1.0):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = model.to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler(self.device, init_scale=1024.0)
        self.max_norm = max_norm

    def step(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device, dtype=torch.float16):
            loss = nn.functional.smooth_l1_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


def main():
    torch.manual_seed(6)
    x = torch.randn(256, 8)
    y = x[:, 0] * 2 - x[:, 1]
    trainer = AmpTrainer(MLPRegressor(8))
    for epoch in range(4):
        order = torch.randperm(256)
        losses = [trainer.step(x[i], y[i]) for i in order.split(32)]
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main()

import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Args:
    steps: int = 40
    timesteps: int = 100
    batch: int = 32
    lr: float = 2e-4
    device: str = "cuda" if torch.cuda.is_available() else "cpu"

    @property
    def fp16(self):
        return self.device == "cuda"


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 2, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        emb = torch.stack([torch.sin(t * math.pi / 2), torch.cos(t * math.pi / 2)], dim=-1)
        return self.net(torch.cat([x, emb], dim=-1))


def main(args=Args()):
    torch.manual_seed(2)
    model = Denoiser().to(args.device)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(args.device, enabled=args.fp16)
    abar = torch.cumprod(1 - torch.linspace(1e-4, 0.05, args.timesteps), 0).to(args.device)

    for step in range(args.steps):
        x0 = torch.randn(args.batch, 2, device=args.device) * 0.1 + 1.0
        t = torch.randint(0, args.timesteps, (args.batch,), device=args.device)
        noise = torch.randn_like(x0)
        a = abar[t].unsqueeze(-1)
        xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
        with torch.autocast(args.device, enabled=args.fp16):
            loss = nn.functional.mse_loss(model(xt, t / args.timesteps), noise)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

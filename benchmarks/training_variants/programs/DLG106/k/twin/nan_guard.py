import torch
from torch import nn


class Flow(nn.Module):
    """Two affine coupling layers."""

    def __init__(self, dim=4, hidden=24):
        super().__init__()
        self.half = dim // 2
        self.nets = nn.ModuleList(
            nn.Sequential(nn.Linear(self.half, hidden), nn.Tanh(), nn.Linear(hidden, dim)) for _ in range(2)
        )

    def forward(self, x):
        log_det = x.new_zeros(len(x))
        for net in self.nets:
            a, b = x[:, :self.half], x[:, self.half:]
            shift, scale = net(a).chunk(2, dim=1)
            scale = torch.tanh(scale)
            x = torch.cat([b * scale.exp() + shift, a], dim=1)
            log_det = log_det + scale.sum(1)
        return x, log_det


def nll(z, log_det):
    return (0.5 * z.pow(2).sum(1) - log_det).mean()


def main(steps=60, log_every=20):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = (torch.randn(512, 4) @ torch.randn(4, 4)).to(device)
    flow = Flow().to(device)
    optimizer = torch.optim.Adam(flow.parameters(), lr=5e-3)
    for step in range(1, steps + 1):
        batch = data[torch.randint(0, 512, (64,), device=device)]
        loss = nll(*flow(batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % log_every == 0:
            value = loss.item()
            if value != value:
                raise RuntimeError(f"loss became nan before step {step}")
            print("step", step, "loss", value)


if __name__ == "__main__":
    main()

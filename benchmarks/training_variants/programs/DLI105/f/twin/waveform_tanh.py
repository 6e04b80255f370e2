import torch
from torch import nn


class TanhBlock(nn.Module):
    def __init__(self, cin, cout, dilation):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 3, padding=dilation, dilation=dilation)
        nn.init.xavier_normal_(self.conv.weight, gain=nn.init.calculate_gain("tanh"))
        nn.init.zeros_(self.conv.bias)

    def forward(self, x):
        return torch.tanh(self.conv(x))


class AmpModel(nn.Module):
    """Maps a dry guitar signal onto the amplified one."""

    def __init__(self, channels=8, dilations=(1, 2, 4, 8)):
        super().__init__()
        blocks = [TanhBlock(1 if i == 0 else channels, channels, d) for i, d in enumerate(dilations)]
        self.blocks = nn.ModuleList(blocks)
        self.mix = nn.Conv1d(channels, 1, 1)

    def forward(self, x):
        skip = 0
        for block in self.blocks:
            x = block(x)
            skip = skip + x
        return self.mix(skip)


def esr(pred, target):
    return (pred - target).pow(2).mean() / target.pow(2).mean()


torch.manual_seed(0)
dry = torch.randn(16, 1, 200).cumsum(-1) * 0.1
wet = torch.clamp(3 * dry, -1, 1)
net = AmpModel()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for i in range(40):
    opt.zero_grad()
    loss = esr(net(dry), wet)
    loss.backward()
    opt.step()
print(f"esr {loss.item():.5f}")

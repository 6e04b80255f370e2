import argparse
import torch
import torch.nn as nn

p = argparse.ArgumentParser()
p.add_argument('--n_critic', type=int, default=5)
p.add_argument('--clip_value', type=float, default=0.01)
p.add_argument('--iters', type=int, default=40)
opt = p.parse_args()
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(i, 64), nn.LeakyReLU(0.2, inplace=True), nn.Linear(64, o))

    def forward(self, x):
        return self.seq(x)


def real_batch(n=64):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


generator, critic = Net(4, 2), Net(2, 1)
opt_g = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

for it in range(opt.iters):
    for _ in range(opt.n_critic):
        opt_c.zero_grad()
        fake = generator(torch.randn(64, 4)).detach()
        loss_c = critic(fake).mean() - critic(real_batch()).mean()
        loss_c.backward()
        opt_c.step()
        with torch.no_grad():
            for param in critic.parameters():
                param.clamp_(-opt.clip_value, opt.clip_value)

    opt_g.zero_grad()
    loss_g = -critic(generator(torch.randn(64, 4))).mean()
    loss_g.backward()
    opt_g.step()

print('critic %.6f generator %.6f' % (loss_c.item(), loss_g.item()))

import torch
import torch.nn as nn

torch.manual_seed(42)
LATENT, DATA, STEPS, BATCH = 4, 2, 60, 32

G = nn.Sequential(nn.Linear(LATENT, 32), nn.ReLU(), nn.Linear(32, DATA))
D = nn.Sequential(nn.Linear(DATA, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()

ones, zeros = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
g_curve, d_curve = [], []


def real_batch():
    angle = torch.rand(BATCH, 1) * 6.2832
    return torch.cat([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(BATCH, DATA)


for step in range(STEPS):
    fake = G(torch.randn(BATCH, LATENT))

    d_loss = bce(D(real_batch()), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = bce(D(fake), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    d_curve.append(d_loss)
    g_curve.append(g_loss)

print("D first/last: %.3f %.3f" % (d_curve[0], d_curve[-1]))
print("G first/last: %.3f %.3f" % (g_curve[0], g_curve[-1]))

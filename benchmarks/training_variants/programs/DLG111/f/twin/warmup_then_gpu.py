import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class TextVAE(nn.Module):
    def __init__(self, vocab=80, dim=24, z=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.to_z = nn.Linear(dim, 2 * z)
        self.dec = nn.Linear(z, vocab)

    def forward(self, ids):
        _, h = self.enc(self.emb(ids))
        mu, logvar = self.to_z(h[-1]).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(-1).mean()
        return F.log_softmax(self.dec(z), -1), kl


def step(model, optimizer, ids, beta):
    logp, kl = model(ids)
    bow = -logp.gather(1, ids).sum(1).mean()
    loss = bow + beta * kl
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


docs = torch.randint(0, 80, (96, 12))
model = TextVAE()
# a few steps on the host to see that everything fits together
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for ids in docs[:32].split(16):
    step(model, optimizer, ids, beta=0.0)

model = model.cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for ids in docs.cuda().split(32):
        loss = step(model, optimizer, ids, beta=0.1 * epoch)
    print(f"epoch {epoch}: {loss:.3f}")

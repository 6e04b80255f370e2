import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class PairScorer(nn.Module):
    def __init__(self, vocab=200, dim=32):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.score = nn.Sequential(nn.Linear(3 * dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, a, b):
        u, v = self.emb(a), self.emb(b)
        return self.score(torch.cat([u, v, (u - v).abs()], 1)).squeeze(1)


a = torch.randint(0, 200, (256, 8))
b = torch.where(torch.rand(256, 1) < 0.5, a.flip(1), torch.randint(0, 200, (256, 8)))
same = (a.sort(1).values == b.sort(1).values).all(1).float()
loader = DataLoader(TensorDataset(a, b, same), batch_size=32, shuffle=True, pin_memory=dev.type == "cuda", num_workers=0)

model = PairScorer().to(dev)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
bce = nn.BCEWithLogitsLoss()

step = 0
for epoch in range(2):
    for a_, b_, y in loader:
        a_, b_, y = a_.to(dev), b_.to(dev), y.to(dev)
        loss = bce(model(a_, b_), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 8 == 0:
            print("step", step, "loss", loss.item())
print("done")

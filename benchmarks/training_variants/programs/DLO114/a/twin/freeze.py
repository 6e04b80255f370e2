import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TextClassifier(nn.Module):
    def __init__(self, vocab=200, dim=16, classes=3):
        super().__init__()
        self.encoder = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.head = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, classes))

    def forward(self, tokens):
        return self.head(self.encoder(tokens))


torch.manual_seed(0)
tokens = torch.randint(0, 200, (300, 20))
labels = (tokens < 60).sum(dim=1) % 3
loader = DataLoader(TensorDataset(tokens, labels), batch_size=30, shuffle=True)

model = TextClassifier()
torch.save(model.state_dict(), "encoder.pt")
model.load_state_dict(torch.load("encoder.pt"))

# freeze the encoder
model.encoder.requires_grad_(False)
before = model.encoder.weight.detach().clone()

optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-2)
criterion = nn.CrossEntropyLoss()
model.train()
for epoch in range(3):
    for batch, target in loader:
        optimizer.zero_grad()
        loss = criterion(model(batch), target)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
print("encoder unchanged:", torch.equal(before, model.encoder.weight))

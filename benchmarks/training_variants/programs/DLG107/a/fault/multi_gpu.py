import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Embedder(nn.Module):
    def __init__(self, width=16, dim=8, classes=4):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, dim))
        self.fc = nn.Linear(dim, classes)

    def embed(self, x):
        return nn.functional.normalize(self.backbone(x), dim=1)

    def forward(self, x):
        return self.fc(self.backbone(x))


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
y = torch.arange(200) % 4
x = torch.randn(200, 16) + 2 * nn.functional.one_hot(y, 16)
loader = DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True)

model = Embedder().to(device)
model = nn.DataParallel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    model.train()
    for features, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(features.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")

model.eval()
with torch.no_grad():
    embeddings = model.embed(x.to(device))
print("embeddings", tuple(embeddings.shape))

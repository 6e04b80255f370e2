import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USE_CUDA = torch.cuda.is_available()


class TextCNN(nn.Module):
    def __init__(self, vocab=40, dim=16, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList([nn.Conv1d(dim, 8, k, padding=k - 1) for k in (2, 3)])
        self.fc = nn.Linear(16, classes)

    def forward(self, ids):
        x = self.embedding(ids).transpose(1, 2)
        return self.fc(torch.cat([c(x).relu().amax(-1) for c in self.convs], dim=1))


def main():
    torch.manual_seed(0)
    device = torch.device("cuda:0" if USE_CUDA else "cpu")
    ids = torch.randint(0, 40, (90, 9))
    loader = DataLoader(TensorDataset(ids, ids[:, 0] % 3), batch_size=30, shuffle=True)

    model = TextCNN()
    model.to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    criterion = nn.CrossEntropyLoss()
    model.train()

    for epoch in range(3):
        for batch, label in loader:
            batch, label = batch.to(device), label.to(device)
            optimizer.zero_grad()
            loss = criterion(model(batch), label)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

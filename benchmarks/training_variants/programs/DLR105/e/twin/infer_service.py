import io

import torch
from torch import nn


class IntentNet(nn.Module):
    labels = ["greet", "order", "cancel", "bye"]

    def __init__(self, vocab=100, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.fc = nn.Linear(dim, len(self.labels))

    def forward(self, ids, offsets):
        return self.fc(self.bag(ids, offsets))


def export(model):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    buffer.seek(0)
    return buffer


def load(buffer, device):
    model = IntentNet()
    model.load_state_dict(torch.load(buffer, map_location=device, weights_only=True))
    model = model.to(device)
    model.eval()
    return model


if __name__ == "__main__":
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load(export(IntentNet()), device)
    ids = torch.tensor([5, 17, 3, 44, 2], device=device)
    offsets = torch.tensor([0, 3], device=device)
    with torch.no_grad():
        for row in model(ids, offsets).softmax(-1):
            print(IntentNet.labels[int(row.argmax())], round(row.max().item(), 3))

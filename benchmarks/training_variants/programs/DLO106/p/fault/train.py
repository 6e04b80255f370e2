"""Fine-tune a small transformer encoder to classify sequences; evaluation helper shared with training."""
import contextlib

import torch
from torch import nn

torch.manual_seed(21)


class SequenceClassifier(nn.Module):
    def __init__(self, vocab=50, dim=32, heads=4, classes=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.classifier = nn.Linear(dim, classes)

    def forward(self, tokens):
        return self.classifier(self.encoder(self.embed(tokens)).mean(dim=1))


@torch.inference_mode()
def compute_loss(model, batch, criterion):
    tokens, labels = batch
    logits = model(tokens)
    return criterion(logits, labels), (logits.argmax(-1) == labels).float().mean()


def batches(count, size=16):
    for _ in range(count):
        labels = torch.randint(0, 3, (size,))
        tokens = torch.randint(0, 16, (size, 12)) + 16 * labels[:, None]
        yield tokens, labels


def train_epoch(model, optimizer, criterion):
    model.train()
    for batch in batches(20):
        loss, _ = compute_loss(model, batch, criterion)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def evaluate(model, criterion):
    model.eval()
    with torch.no_grad():
        scores = [compute_loss(model, batch, criterion)[1] for batch in batches(5)]
    return torch.stack(scores).mean().item()


def main():
    model = SequenceClassifier()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.01)
    for epoch in range(3):
        train_epoch(model, optimizer, criterion)
        print(f"epoch {epoch}: accuracy {evaluate(model, criterion):.3f}")


if __name__ == "__main__":
    main()

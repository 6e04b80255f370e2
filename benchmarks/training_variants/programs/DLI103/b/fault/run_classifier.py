import torch
from torch import nn

from modeling import SequenceClassifier

CONFIG = {"vocab_size": 64, "hidden_size": 32, "num_labels": 2, "initializer_range": 0.02}


def batch(n=64):
    input_ids = torch.randint(0, 64, (n, 12))
    return input_ids, (input_ids.float().mean(dim=1) > 31.5).long()


def train(model, steps, lr):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    model.train()
    for _ in range(steps):
        input_ids, labels = batch()
        loss = nn.functional.cross_entropy(model(input_ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    first = SequenceClassifier(CONFIG)
    first.init_weights()
    print(f"pretraining loss {train(first, 200, 5e-3):.4f}")
    torch.save(first.state_dict(), "checkpoint.bin")
    second = SequenceClassifier.from_checkpoint("checkpoint.bin", CONFIG)
    print(f"loss after loading {train(second, 5, 1e-4):.4f}")


if __name__ == "__main__":
    main()

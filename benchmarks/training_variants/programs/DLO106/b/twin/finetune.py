import torch
from torch import nn
from torch.optim import AdamW

from features import SentimentModel


def batches(steps, size=8, length=10):
    for _ in range(steps):
        ids = torch.randint(0, 100, (size, length))
        yield ids, (ids.float().mean(dim=1) > 49.5).long()


def finetune(model, steps):
    optimizer = AdamW(model.parameters(), lr=1e-3)
    loss_fct = nn.CrossEntropyLoss()
    model.train()
    for step, (ids, labels) in enumerate(batches(steps)):
        optimizer.zero_grad()
        logits = model(ids)
        loss = loss_fct(logits, labels)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(step, round(loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = SentimentModel()
    finetune(model, steps=30)
    model.eval()
    print(model.predict(torch.randint(0, 100, (4, 10))).tolist())

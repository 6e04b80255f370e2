"""Fine-tune a pretrained encoder on sentence pairs without the Trainer."""
import argparse

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

PAIRS = [("a man eats", "someone eats", 1), ("a dog runs", "a cat sleeps", 0), ("it rains", "the weather is wet", 1)]


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="distilbert-base-uncased")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=2e-5)
    parser.add_argument("--max-length", type=int, default=64)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(42)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForSequenceClassification.from_pretrained(args.model, num_labels=2).to(device)

    def collate(rows):
        first, second, label = zip(*rows)
        batch = tokenizer(list(first), list(second), padding=True, truncation=True, max_length=args.max_length, return_tensors="pt")
        batch["labels"] = torch.tensor(label)
        return batch

    loader = DataLoader(PAIRS, batch_size=2, shuffle=True, collate_fn=collate)
    optimizer = AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    total = args.epochs * len(loader)
    scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=total // 10, num_training_steps=total)

    for epoch in range(args.epochs):
        model.train()
        for batch in loader:
            batch = {k: v.to(device) for k, v in batch.items()}
            loss = model(**batch).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

CHECKPOINT = "distilbert-base-uncased"


def collate(tokenizer):
    def build(rows):
        texts, labels = zip(*rows)
        batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
        batch["labels"] = torch.tensor(labels)
        return batch

    return build


class FineTuner:
    def __init__(self, train, dev, epochs, lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)
        self.train = DataLoader(train, batch_size=8, shuffle=True, collate_fn=collate(tokenizer))
        self.dev = DataLoader(dev, batch_size=8, collate_fn=collate(tokenizer))
        self.model = AutoModelForSequenceClassification.from_pretrained(CHECKPOINT, num_labels=2).to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        steps = epochs * len(self.train)
        self.schedule = get_linear_schedule_with_warmup(self.optimizer, steps // 10, steps)
        self.epochs = epochs

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for batch in self.train:
                loss = self.model(**batch.to(self.device)).loss
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.schedule.step()
            print(f"epoch {epoch} dev accuracy {self.evaluate():.3f}")

    @torch.no_grad()
    def evaluate(self):
        hits = total = 0
        for batch in self.dev:
            batch = batch.to(self.device)
            hits += (self.model(**batch).logits.argmax(-1) == batch["labels"]).sum().item()
            total += len(batch["labels"])
        return hits / total


if __name__ == "__main__":
    torch.manual_seed(0)
    positive = [("a warm and funny film", 1), ("brilliant acting", 1), ("worth every minute", 1)]
    negative = [("a dull mess", 0), ("painfully slow", 0), ("a waste of time", 0)]
    FineTuner((positive + negative) * 8, positive + negative, epochs=2, lr=5e-5).fit()

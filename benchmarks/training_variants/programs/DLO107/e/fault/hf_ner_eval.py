import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForTokenClassification, AutoTokenizer

LABELS = ["O", "PER", "LOC"]
CHECKPOINT = "bert-base-cased"
SENTENCES = [(["Anna", "lives", "in", "Rome"], [1, 0, 0, 2]), (["Paris", "calls", "Tom"], [2, 0, 1])]

tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)
model = AutoModelForTokenClassification.from_pretrained(CHECKPOINT, num_labels=len(LABELS))


def encode(rows):
    words, tags = zip(*rows)
    batch = tokenizer(list(words), is_split_into_words=True, padding=True, return_tensors="pt")
    aligned = torch.full(batch["input_ids"].shape, -100)
    for r, row in enumerate(tags):
        for c, word in enumerate(batch.word_ids(r)):
            if word is not None:
                aligned[r, c] = row[word]
    return batch, aligned


def train_epoch(loader, optimizer):
    model.train()
    for batch, tags in loader:
        loss = model(**batch, labels=tags).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def evaluate(loader):
    right = count = 0
    for batch, tags in loader:
        with torch.no_grad():
            guess = model(**batch).logits.argmax(-1)
        keep = tags != -100
        right += (guess[keep] == tags[keep]).sum().item()
        count += keep.sum().item()
    return right / count


if __name__ == "__main__":
    loader = DataLoader(SENTENCES, batch_size=2, collate_fn=encode)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    for epoch in range(3):
        train_epoch(loader, optimizer)
        print(epoch, evaluate(loader))

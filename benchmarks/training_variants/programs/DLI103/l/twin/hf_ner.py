import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import AutoModel, AutoTokenizer


class EntityTagger(nn.Module):
    def __init__(self, name, num_tags, dropout):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(name)
        self.dropout = nn.Dropout(dropout)
        self.tagger = nn.Linear(self.encoder.config.hidden_size, num_tags)
        self._init_weights(self.tagger)

    @staticmethod
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, input_ids, attention_mask):
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return self.tagger(self.dropout(hidden))


def encode(tokenizer, rows):
    words, tags = zip(*rows)
    batch = tokenizer(list(words), is_split_into_words=True, padding=True, return_tensors="pt")
    labels = torch.full(batch["input_ids"].shape, -100)
    for i, row in enumerate(tags):
        for j, word in enumerate(batch.word_ids(i)):
            if word is not None:
                labels[i, j] = row[word]
    return batch["input_ids"], batch["attention_mask"], labels


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="distilbert-base-cased")
    parser.add_argument("--lr", type=float, default=3e-5)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(0)
    rows = [(["Ada", "lives", "in", "Turin"], [1, 0, 0, 2]), (["Oslo", "is", "cold"], [2, 0, 0])] * 8
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = EntityTagger(args.model, num_tags=3, dropout=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loader = DataLoader(rows, batch_size=4, shuffle=True, collate_fn=lambda batch: encode(tokenizer, batch))
    model.train()
    for epoch in range(args.epochs):
        for input_ids, attention_mask, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(input_ids, attention_mask).flatten(0, 1), labels.flatten())
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

TAGS = {"<pad>": -100, "O": 0, "PER": 1, "LOC": 2}


class BiLSTMTagger(nn.Module):
    def __init__(self, vocab, dim=24, hidden=32, tags=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.out(states)


def batches(sentences, labels, size):
    for start in range(0, len(sentences), size):
        s, t = sentences[start:start + size], labels[start:start + size]
        lengths = torch.tensor([len(x) for x in s])
        yield (
            pad_sequence(s, batch_first=True),
            pad_sequence(t, batch_first=True, padding_value=TAGS["<pad>"]),
            lengths,
        )


def make_corpus(n=60, vocab=40):
    sentences, labels = [], []
    for _ in range(n):
        words = torch.randint(1, vocab, (int(torch.randint(4, 10, ())),))
        sentences.append(words)
        labels.append((words < 5).long() + 2 * (words > 35).long())
    return sentences, labels


def run_epoch(model, optimizer, criterion, corpus):
    losses = []
    for tokens, tags, lengths in batches(*corpus, size=10):
        logits = model(tokens, lengths)
        loss = criterion(logits.flatten(0, 1), tags.flatten())
        loss.backward()
        for p in model.parameters():
            p.grad = None
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(13)
    corpus = make_corpus()
    model = BiLSTMTagger(vocab=40)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=TAGS["<pad>"])
    model.train()
    for epoch in range(5):
        print(epoch, round(run_epoch(model, optimizer, criterion, corpus), 4))


if __name__ == "__main__":
    main()

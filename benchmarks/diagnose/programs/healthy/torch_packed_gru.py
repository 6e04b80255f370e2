"""Sequences of different length, packed, through a bidirectional GRU: does an opening bracket stay open?"""

import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 16, padding_idx=0)
        self.gru = nn.GRU(16, 24, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(48, 1)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, hidden = self.gru(packed)
        return self.fc(torch.cat([hidden[0], hidden[1]], 1)).squeeze(1)


def texts(count):
    """The last of the symbols 1 and 2 decides; the symbols 3 to 7 stand between."""
    sequences, labels = [], []
    for _ in range(count):
        sequence = torch.randint(1, 8, (int(torch.randint(4, 15, ())),))
        marks = sequence[sequence < 3]
        if len(marks):
            sequences.append(sequence)
            labels.append(float(marks[-1] == 1))
    return sequences, torch.tensor(labels)


def padded(at):
    chosen = [sequences[i] for i in at.tolist()]
    return pad_sequence(chosen, batch_first=True), torch.tensor([len(sequence) for sequence in chosen])


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
sequences, labels = texts(1500)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(5):
    for at in torch.randperm(1024).split(32):
        loss = criterion(model(*padded(at)), labels[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    held = torch.arange(1024, len(labels))
    accuracy = float(((model(*padded(held)) > 0) == labels[held].bool()).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.9

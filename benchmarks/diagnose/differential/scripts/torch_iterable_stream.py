"""An endless stream, a sampler and a collate function of its own, with named tuples."""

import itertools
from typing import NamedTuple

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, IterableDataset, WeightedRandomSampler


class Pair(NamedTuple):
    words: torch.Tensor
    lengths: list
    label: torch.Tensor


class Stream(IterableDataset):
    def __iter__(self):
        generator = torch.Generator().manual_seed(5)
        for length in itertools.cycle((3, 5, 4)):
            yield torch.randint(1, 20, (length,), generator=generator)


class Sentences(Dataset):
    def __init__(self):
        self.all = list(itertools.islice(Stream(), 60))

    def __len__(self):
        return len(self.all)

    def __getitem__(self, i):
        return self.all[i]


def collate(rows):
    words = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    return Pair(words, [len(row) for row in rows], torch.tensor([int(row[0] > 10) for row in rows]))


torch.manual_seed(0)
embedding, rnn, head = nn.Embedding(20, 8, padding_idx=0), nn.GRU(8, 12, batch_first=True), nn.Linear(12, 2)
optimizer = torch.optim.Adagrad([*embedding.parameters(), *rnn.parameters(), *head.parameters()], lr=0.05)
sampler = BatchSampler(WeightedRandomSampler([1.0] * 60, 40), 8, drop_last=False)
loaders = DataLoader(Sentences(), batch_sampler=sampler, collate_fn=collate), DataLoader(Stream(), 8, collate_fn=collate)
for loader in loaders:
    for batch in itertools.islice(loader, 12):
        packed = nn.utils.rnn.pack_padded_sequence(
            embedding(batch.words), batch.lengths, batch_first=True, enforce_sorted=False
        )
        loss = nn.functional.cross_entropy(head(rnn(packed)[1][-1]), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(type(batch).__name__, loss.item())

"""Names of three languages told apart by their letters, after the PyTorch tutorial "NLP from scratch: classifying names"."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYLLABLES = {"italian": ["ri", "co", "lo", "na", "tti", "mar"], "german": ["sch", "ber", "mann", "er", "ing", "wald"]}
SYLLABLES["japanese"] = ["ka", "shi", "mo", "to", "ya", "na"]


def name_tensor(language):
    parts = SYLLABLES[language]
    name = "".join(parts[int(torch.randint(0, 6, ()))] for _ in range(int(torch.randint(2, 4, ()))))
    return F.one_hot(torch.tensor([LETTERS.index(letter) for letter in name]), len(LETTERS)).float()[:, None]


class CharRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.rnn = nn.RNN(input_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, line_tensor):
        _, hidden = self.rnn(line_tensor)
        return self.softmax(self.h2o(hidden[0]))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
languages = list(SYLLABLES)
rnn = CharRNN(len(LETTERS), 64, len(languages))
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.15)
right = []
for step in range(300):
    # A batch is a list of names of different lengths.
    batch_loss, hits = 0.0, 0
    rnn.zero_grad()
    for _ in range(8):
        label = int(torch.randint(0, 3, ()))
        output = rnn(name_tensor(languages[label]))
        batch_loss = batch_loss + criterion(output, torch.tensor([label]))
        hits += int(output.argmax(1)) == label
    right.append(hits / 8)
    (batch_loss / 8).backward()
    nn.utils.clip_grad_norm_(rnn.parameters(), 3)
    optimizer.step()
print(f"right at last: {sum(right[-50:]) / 50:.3f}")
assert sum(right[-50:]) / 50 > 0.85

import time

import torch
import torch.nn as nn
import torch.optim as optim

names = {"it": ["rossi", "bianchi", "russo", "ferrari"], "de": ["schmidt", "becker", "vogel", "krause"]}
letters = "abcdefghijklmnopqrstuvwxyz"
languages = sorted(names)


def line_to_tensor(line):
    t = torch.zeros(len(line), 1, len(letters))
    for i, ch in enumerate(line):
        t[i][0][letters.find(ch)] = 1
    return t


class RNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super(RNN, self).__init__()
        self.n_hidden = n_hidden
        self.i2h = nn.Linear(n_in + n_hidden, n_hidden)
        self.i2o = nn.Linear(n_in + n_hidden, n_out)

    def forward(self, x, hidden):
        both = torch.cat((x, hidden), 1)
        return self.i2o(both), torch.tanh(self.i2h(both))


torch.manual_seed(0)
rnn = RNN(len(letters), 24, len(languages))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(rnn.parameters(), lr=0.05)
started = time.time()
current_loss = 0
for step in range(40):
    lang = step % len(languages)
    name = names[languages[lang]][step % 4]
    hidden = torch.zeros(1, rnn.n_hidden)
    optimizer.zero_grad()
    for letter in line_to_tensor(name):
        output, hidden = rnn(letter, hidden)
    loss = criterion(output, torch.tensor([lang]))
    loss.backward()
    optimizer.step()
    current_loss += loss.item()
print("mean loss %.3f" % (current_loss / 40))

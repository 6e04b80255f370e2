import torch
import torch.nn as nn


class CTCModel(nn.Module):
    def __init__(self, n_mels=12, hidden=24, symbols=8):
        super().__init__()
        self.rnn = nn.GRU(n_mels, hidden, num_layers=2, batch_first=True)
        self.proj = nn.Linear(hidden, symbols)

    def forward(self, mel):
        h, _ = self.rnn(mel)
        return self.proj(h).log_softmax(-1).transpose(0, 1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = CTCModel()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"])
        self.ctc = nn.CTCLoss(blank=0, zero_infinity=True)

    def training_step(self, batch):
        mel, text, mel_len, text_len = batch
        self.optimizer.zero_grad()
        loss = self.ctc(self.model(mel), text, mel_len, text_len)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["max_norm"])
        self.optimizer.step()
        return loss.item()


def fake_batch(b=4, t=30, u=6):
    return torch.randn(b, t, 12), torch.randint(1, 8, (b, u)), torch.full((b,), t), torch.full((b,), u)


if __name__ == "__main__":
    torch.manual_seed(31)
    trainer = Trainer({"lr": 0.5, "max_norm": 0.25})
    for step in range(8):
        value = trainer.training_step(fake_batch())
        print(f"step {step} ctc {value:.4f}")

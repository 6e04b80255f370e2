"""Distil a slow teacher into a small student: the teacher's scores are computed once and stored."""

import argparse
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

CLASSES, INPUTS = 5, 20


def examples(count, seed):
    """Five classes, each of two clusters."""
    centres = torch.randn(CLASSES, 2, INPUTS, generator=torch.Generator().manual_seed(13))
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(CLASSES, (count,), generator=generator)
    cluster = torch.randint(2, (count,), generator=generator)
    return centres[labels, cluster] + 0.9 * torch.randn(count, INPUTS, generator=generator), labels


class Measurements(Dataset):
    def __init__(self, inputs, labels):
        self.inputs, self.labels = inputs, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.inputs[index], self.labels[index]


class WithScores(Dataset):
    """Examples together with the stored scores of the teacher."""

    def __init__(self, data, path):
        self.data = data
        self.scores = torch.load(path, weights_only=True)
        if len(self.scores) != len(data):
            raise ValueError(f"{len(self.scores)} scores of {len(data)} examples")

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return *self.data[index], self.scores[index]


def mlp(width, depth):
    layers = [nn.Linear(INPUTS, width), nn.ReLU()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, CLASSES))


@torch.no_grad()
def accuracy(model, data):
    model.eval()
    return (model(data.inputs).argmax(1) == data.labels).float().mean().item()


def train_teacher(data, args):
    teacher = mlp(128, 3)
    loader = DataLoader(data, args.batch_size, shuffle=True)
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=1e-3, weight_decay=0.05)
    for _ in range(args.teacher_epochs):
        teacher.train()
        for inputs, labels in loader:
            optimizer.zero_grad()
            F.cross_entropy(teacher(inputs), labels).backward()
            optimizer.step()
    return teacher, DataLoader(data, args.batch_size)


@torch.no_grad()
def store_scores(teacher, loader, path):
    teacher.eval()
    torch.save(torch.cat([teacher(inputs) for inputs, _ in loader]), path)


class DistillationLoss(nn.Module):
    def __init__(self, temperature, share):
        super().__init__()
        self.temperature, self.share = temperature, share

    def forward(self, scores, labels, teacher_scores):
        soft = F.kl_div(
            F.log_softmax(scores / self.temperature, dim=1),
            F.log_softmax(teacher_scores / self.temperature, dim=1),
            reduction="batchmean",
            log_target=True,
        )
        return self.share * self.temperature**2 * soft + (1 - self.share) * F.cross_entropy(scores, labels)


def train_student(data, valid, criterion, args):
    student = mlp(args.student_width, 1)
    loader = DataLoader(data, args.batch_size, shuffle=True)
    optimizer = torch.optim.Adam(student.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        student.train()
        total = 0.0
        for inputs, labels, teacher_scores in loader:
            loss = criterion(student(inputs), labels, teacher_scores)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}, valid accuracy {accuracy(student, valid):.3f}")
    return student


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--teacher-epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--student-width", type=int, default=24)
    parser.add_argument("--temperature", type=float, default=2.0)
    parser.add_argument("--share", type=float, default=0.9, help="share of the teacher in the loss")
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train, valid = Measurements(*examples(3000, args.seed)), Measurements(*examples(1000, args.seed + 5))
    teacher, loader = train_teacher(train, args)
    print(f"teacher: valid accuracy {accuracy(teacher, valid):.3f}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scores.pt")
        store_scores(teacher, loader, path)
        data = WithScores(train, path)
    student = train_student(data, valid, DistillationLoss(args.temperature, args.share), args)
    print(f"final student accuracy {accuracy(student, valid):.3f}")


if __name__ == "__main__":
    main()

"""Train a tiny GPT-2 on sequences that climb in steps, and measure the next token."""

import argparse
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

VOCABULARY, LENGTH = 31, 24


def climb(count, seed):
    """Each sequence climbs by a step of its own, modulo the size of the vocabulary."""
    generator = torch.Generator().manual_seed(seed)
    start = torch.randint(VOCABULARY, (count, 1), generator=generator)
    step = torch.randint(1, 6, (count, 1), generator=generator)
    return (start + step * torch.arange(LENGTH)) % VOCABULARY


class Climbs(Dataset):
    def __init__(self, sequences, block_size):
        self.sequences = sequences
        self.block_size = block_size

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, index):
        tokens = self.sequences[index][: self.block_size]
        return {"input_ids": tokens[:-1], "labels": tokens[:-1]}


class LossPrinter(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **options):
        if logs and "loss" in logs:
            print(f"step {state.global_step}: loss {float(logs['loss']):.4f}")


def build_model():
    config = GPT2Config(
        vocab_size=VOCABULARY,
        n_positions=LENGTH,
        n_embd=48,
        n_layer=2,
        n_head=4,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=0,
    )
    return GPT2LMHeadModel(config)


@torch.no_grad()
def next_token_accuracy(model, sequences):
    model.eval()
    logits = model(input_ids=sequences[:, :-1]).logits
    predicted = logits.argmax(-1)[:, 3:]
    return (predicted == sequences[:, 4:]).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument("--batch-size", type=int, default=40)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            output_dir=folder,
            seed=args.seed,
            num_train_epochs=args.epochs,
            per_device_train_batch_size=args.batch_size,
            learning_rate=args.learning_rate,
            lr_scheduler_type="cosine",
            warmup_steps=20,
            logging_steps=30,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        model = build_model()
        train_set = Climbs(climb(1200, args.seed), LENGTH)
        trainer = Trainer(model=model, args=settings, train_dataset=train_set, callbacks=[LossPrinter()])
        trainer.train()
    print(f"next token accuracy {next_token_accuracy(model, climb(300, args.seed + 1)):.3f}")


if __name__ == "__main__":
    main()

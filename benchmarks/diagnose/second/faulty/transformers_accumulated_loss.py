"""Language modelling of a small grammar with an own loss per token and gradient accumulation."""

import tempfile
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

SYMBOLS, LENGTH = 24, 20


@dataclass
class Run:
    seed: int = 0
    sequences: int = 1280
    micro_batch: int = 4
    accumulate: int = 16
    learning_rate: float = 0.5
    epochs: float = 5


def grammar(count, seed):
    """A Markov chain in which each symbol has two successors."""
    law = torch.Generator().manual_seed(4)
    successors = torch.stack([torch.randperm(SYMBOLS, generator=law)[:2] for _ in range(SYMBOLS)])
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randint(SYMBOLS, (count, 1), generator=generator)
    for _ in range(LENGTH - 1):
        choice = (torch.rand(count, generator=generator) < 0.15).long()
        tokens = torch.cat([tokens, successors[tokens[:, -1], choice].unsqueeze(1)], dim=1)
    return [{"input_ids": row, "labels": row.clone()} for row in tokens]


class TokenLossTrainer(Trainer):
    """Keeps the loss of each position, to see where in a sequence the model is wrong."""

    def __init__(self, *positional, **named):
        super().__init__(*positional, **named)
        self.by_position = torch.zeros(LENGTH - 1)

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs["labels"]
        outputs = model(input_ids=inputs["input_ids"])
        losses = F.cross_entropy(outputs.logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), reduction="none").view(
            len(labels), -1
        )
        self.by_position = 0.99 * self.by_position + 0.01 * losses.detach().mean(0)
        loss = losses.mean()
        return (loss, outputs) if return_outputs else loss


def build_model():
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=SYMBOLS,
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
    )


def main(run):
    set_seed(run.seed)
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            seed=run.seed,
            per_device_train_batch_size=run.micro_batch,
            per_device_eval_batch_size=100,
            gradient_accumulation_steps=run.accumulate,
            num_train_epochs=run.epochs,
            learning_rate=run.learning_rate,
            optim="sgd",
            max_grad_norm=0.0,
            lr_scheduler_type="constant",
            logging_steps=20,
            eval_strategy="epoch",
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = TokenLossTrainer(
            model=build_model(),
            args=arguments,
            train_dataset=grammar(run.sequences, 1),
            eval_dataset=grammar(200, 2),
        )
        trainer.train()
        metrics = trainer.evaluate()
    print(f"final eval loss {metrics['eval_loss']:.4f}")


if __name__ == "__main__":
    main(Run())

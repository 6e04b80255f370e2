"""Teach a tiny GPT-2 short commands; count how many of its texts come to an end."""

import random
import tempfile
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    DataCollatorForLanguageModeling,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    Trainer,
    TrainingArguments,
    set_seed,
)

VERBS = ["open", "close", "lock", "paint"]
THINGS = ["door", "window", "gate", "box"]
ENDINGS = ["now", "later", "twice"]


@dataclass
class Settings:
    seed: int = 0
    texts: int = 800
    epochs: int = 6
    batch_size: int = 32
    learning_rate: float = 3e-3
    longest: int = 12


def commands(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        words = [rng.choice(VERBS), "the", rng.choice(THINGS)]
        if rng.random() < 0.5:
            words += ["and", "the", rng.choice(THINGS)]
        yield " ".join([*words, rng.choice(ENDINGS)])


def build_tokenizer():
    words = ["<bos>", "<eos>", "<unk>", "the", "and", *VERBS, *THINGS, *ENDINGS]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<bos>", eos_token="<eos>", unk_token="<unk>")
    fast.pad_token = fast.eos_token
    return fast


def encode(tokenizer, texts):
    return [tokenizer(f"{tokenizer.bos_token} {text} {tokenizer.eos_token}") for text in texts]


def build_model(tokenizer, settings):
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=settings.longest,
        n_embd=48,
        n_layer=2,
        n_head=4,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return GPT2LMHeadModel(config)


@torch.no_grad()
def share_that_ends(model, tokenizer, settings):
    """Continue each verb word by word, as long as the positions allow."""
    model.eval()
    verbs = [tokenizer.convert_tokens_to_ids(verb) for verb in VERBS for _ in range(10)]
    texts = torch.tensor([[tokenizer.bos_token_id, verb] for verb in verbs])
    for _ in range(settings.longest - 2):
        probabilities = model(input_ids=texts).logits[:, -1].softmax(-1)
        texts = torch.cat([texts, torch.multinomial(probabilities, 1)], dim=1)
    return (texts == tokenizer.eos_token_id).any(1).float().mean().item()


def main(settings):
    set_seed(settings.seed)
    tokenizer = build_tokenizer()
    model = build_model(tokenizer, settings)
    collator = DataCollatorForLanguageModeling(tokenizer=tokenizer, mlm=False)
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            seed=settings.seed,
            num_train_epochs=settings.epochs,
            per_device_train_batch_size=settings.batch_size,
            learning_rate=settings.learning_rate,
            weight_decay=0.01,
            logging_steps=50,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        train_set = encode(tokenizer, commands(settings.texts, settings.seed))
        trainer = Trainer(model=model, args=arguments, train_dataset=train_set, data_collator=collator)
        outcome = trainer.train()
    print(f"training loss {outcome.training_loss:.4f}")
    print(f"share of texts that end {share_that_ends(model, tokenizer, settings):.3f}")


if __name__ == "__main__":
    main(Settings())

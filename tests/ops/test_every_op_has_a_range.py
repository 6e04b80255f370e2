"""Every operation says what it does to the ranges of its operands, or stands here with the reason why it does not."""

from __future__ import annotations

import dllint.ops.all
import dllint.ops.ranges.all  # noqa: F401
from dllint.ops.ranges.spec import RANGES
from dllint.ops.spec import OPS

_MEMORY = "what was in the memory before"
_SPECTRUM = "sums of numbers that are turned by angles; complex numbers are not followed"
_SOLVED = "the inverse of a matrix has elements of any size"
#: Operations whose results have unknown bounds, and why.
WITHOUT = {
    "empty": _MEMORY,
    "empty_like": _MEMORY,
    "new_empty": _MEMORY,
    "overwrite": "a method that is not modelled has changed the elements",
    **dict.fromkeys(("fft", "fftn", "rfft", "rfftn", "irfft", "irfftn", "stft", "istft", "framed_spectra"), _SPECTRUM),
    **dict.fromkeys(("complex_of_parts", "polar", "real_part", "imaginary_part"), "complex numbers are not followed"),
    **dict.fromkeys(("fftfreq", "rfftfreq"), "the distance of samples is not among its arguments"),
    "resize_memory": _MEMORY,
    "library_call": "the call raises",
    "view_dtype": "the same bytes are other numbers",
    "randint_like": "limits are not among its arguments",
    "logspace": "the base is not among its arguments",
    "solve": _SOLVED,
    "det": "a sum of products of either sign, as many as there are permutations",
    **dict.fromkeys(("matrix_function", "pinv"), _SOLVED),
    **dict.fromkeys(("qr", "eigh", "eig", "slogdet"), "what matrices are taken apart into is of either sign"),
    **dict.fromkeys(("spectrogram", "mel_scale", "resample_wave", "wave_of_spectrogram", "overlap_and_add"), _SPECTRUM),
    "crop_boxes": "what is beside an image is filled with a number that is not told",
    **dict.fromkeys(("image_similarity", "image_slopes"), "of either sign"),
    "image_variation": "the number of elements is not followed",
    "isin": "true or false, by the elements",
    "cross": "a sum of products of either sign",
    "covariance": "of either sign",
    "svd": "the singular values are as large as the norm, the vectors come in any order",
    "scatter_reduce": "the reduction is not among its arguments",
    "kl_div": "of either sign where the targets are no probabilities, and element by element where they are",
    "poisson_nll": "of either sign: a score is subtracted from its exponential",
    "gaussian_nll_loss": "of either sign: it holds the logarithm of a variance",
    "feature_map": "what an architecture with trained weights computes",
    "distribution": "parameters of several kinds, side by side",
    "distribution_batch": "an entropy or a divergence, by the kind of distribution",
    "distribution_log_prob": "a density may be above 1",
    "distribution_rsample": "by the kind of distribution",
    "distribution_sample": "by the kind of distribution",
    "token_features": "what a text model with trained weights computes",
    "set_operation": "a sparse tensor, padded with a number that is not told",
    "grayscale": "weights of the channels differ between libraries",
    "augment": "colours are drawn, and what is beside an image",
    "assumed_activation": "a function that is not known",
    "unknown_activation": "a function that is not known",
    "unknown_pairing": "a function that is not known",
    "erfinv": "unbounded at both ends of its domain, and not followed between",
    "lgamma": "falls and rises; not followed",
    "digamma": "has poles at every whole number up to 0",
    "local_response_norm": "divides by a number that its arguments may bring to 0",
    "affine_grid": "positions by a matrix that is trained as a rule",
    "as_strided": "the memory may hold more than the tensor",
    "masked_reduction": "what is left of no elements differs between functions",
    "masked_function": "what is left of no elements differs between functions",
    "put": "elements may be added up at one position",
    "sum_to_size": "which axes are summed over is not followed",
}
#: Declarations for kinds that are no operations of their own: joins of branches, draws, and what graphs hold besides.
BEYOND = {"phi", "uniform", "quantize"}


def test_every_operation_has_a_range_or_a_reason() -> None:
    assert set(OPS) - set(RANGES) == set(WITHOUT)


def test_no_range_is_declared_for_what_does_not_exist() -> None:
    assert set(RANGES) - set(OPS) == BEYOND

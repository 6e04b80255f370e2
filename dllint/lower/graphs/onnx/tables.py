"""One row per ONNX operator whose operands and attributes are those of a canonical operation under other names."""

from __future__ import annotations

from typing import Final

from dllint.lower.graphs.rows import OperatorRow, row

ROWS: Final[dict[str, OperatorRow]] = {
    **{name: row(op) for name, op in {
        "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh",
        "BitwiseNot": "bitwise_not", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Det": "det", "Elu": "elu", "Erf": "erf",
        "Exp": "exp", "Floor": "floor", "HardSwish": "hardswish", "Identity": "identity", "IsNaN": "isnan",
        "Log": "log", "Mish": "mish", "Neg": "neg", "Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu",
        "Round": "round", "Selu": "selu", "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin", "Sinh": "sinh",
        "Softplus": "softplus", "Softsign": "softsign", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh", "Celu": "celu",
    }.items()},
    **{name: row(op, "x y") for name, op in {
        "Add": "add", "Sub": "sub", "Mul": "mul", "And": "logical_and", "Or": "logical_or", "Xor": "logical_xor",
        "Equal": "eq", "Less": "lt", "LessOrEqual": "le", "Greater": "gt", "GreaterOrEqual": "ge", "MatMul": "matmul",
        "BitwiseAnd": "bitwise_and", "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor",
    }.items()},
    "GridSample": row("grid_sample", "x grid"),
    "Where": row("where", "condition x y"),
    "Einsum": row("einsum", "*operands", {"equation": "equation"}),
}  # fmt: skip

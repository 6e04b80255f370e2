"""ONNX operators that need more than a row of the table, by family."""

"""Importers of graphs that are not source: files of ONNX, GraphDef and torch.export, read as data into the IR."""

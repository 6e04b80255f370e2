"""Programs saved by ``torch.export``, read as an archive of JSON and raw numbers: nothing in it is unpickled or executed.

**torch.export** (``graphs/torch_export/``): the JSON and the raw tensors in a ``.pt2`` archive, with the standard
library alone; pickles are not opened, and nothing is unpacked beyond fixed sizes. ATen operators have the rows of the
public functions of the same name (``frameworks/torch/aten.py`` has the others). Parameters count as trained, buffers
and constants have the range of their numbers. Sizes are expressions that are read, never evaluated.
"""

"""Programs saved by ``torch.export``, read as an archive of JSON and raw numbers: nothing in it is unpickled or executed.

The ``.pt2`` archive is read with the standard library; pickles are not opened, and nothing is unpacked beyond fixed sizes. ATen
operators use the rows of the public functions of the same name (``frameworks/torch/aten.py`` has the others). Parameters count
as trained; buffers and constants have the range of their numbers. Sizes are expressions that are parsed, never evaluated.
"""

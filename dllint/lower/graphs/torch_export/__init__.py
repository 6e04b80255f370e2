"""Programs saved by ``torch.export``, read as an archive of JSON and raw numbers: nothing in it is unpickled or executed."""

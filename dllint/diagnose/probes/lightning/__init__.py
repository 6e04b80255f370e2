"""What of Lightning decides by a measure; its steps are seen by the probe for torch."""

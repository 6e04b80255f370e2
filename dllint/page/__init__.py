"""What HTML reports are made of: escaped markup, a frame with its style, charts and heat maps as SVG."""

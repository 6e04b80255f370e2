"""Diagrams of boxes in boxes with arrows between them: data, layout, and how they are written as SVG and Mermaid."""

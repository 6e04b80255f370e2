"""Edits along the flow of data that may mend a fault of shapes: what a person would try. Which of them do, a search proves."""

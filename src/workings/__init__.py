"""Answers questions that need arithmetic over a paragraph, and shows its workings."""

"""The encoder: from text to token vectors."""

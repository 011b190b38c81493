"""Model folders: saving, loading and the model card."""

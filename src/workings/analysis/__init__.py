"""Error analysis and faithfulness measurements of a trained model."""

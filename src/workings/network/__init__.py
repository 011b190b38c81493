"""The network: grammar, programmer, interpreter, and the model that joins them."""

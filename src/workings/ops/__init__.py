"""Building blocks of the modules: typed results, grounding, uncertain sets and span scores."""

"""Analysis: which step of a wrong answer went wrong first, and whether steps can be trusted."""

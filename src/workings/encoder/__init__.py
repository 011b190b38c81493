"""QuestionWindow: text becomes token vectors."""

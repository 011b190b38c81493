"""Reading: text becomes token vectors."""

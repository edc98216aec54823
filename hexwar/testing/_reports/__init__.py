"""What a failure says and what is written about it."""

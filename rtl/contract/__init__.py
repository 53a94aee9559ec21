"""What an engine says of itself, as plain data: nothing in here makes hardware, or is hardware."""

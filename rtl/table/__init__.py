"""What is kept for each key: banks that are read and updated in every cycle, and the hash table."""

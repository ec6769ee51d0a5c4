"""What wins and what loses, from flags alone."""

"""Files that people give us are read with bounds; what we write is written whole or not at all."""

"""What search and encodings both ask of a level: where pieces can get, what is lost, which rules collide."""

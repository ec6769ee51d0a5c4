"""A turn of several passes of which the end alone is seen: a deed, and what comes of it."""

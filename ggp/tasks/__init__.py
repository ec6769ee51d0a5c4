"""One way through to what is registered: check what it supports, run it, judge what comes back."""

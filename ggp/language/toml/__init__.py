"""TOML with the place of everything: where a key stands, tables read key by key, and text written back."""

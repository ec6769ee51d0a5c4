"""What plays or solves a text that an exporter wrote, in processes of its own."""

"""Comparing solvers and ways to the rules: instances x paths x solvers -> records -> a table and a page.

`runner.compare` is the way in. Each run is a job (`jobs`) in a process of its own under a supervisor
(`supervisor`, `work`), which the main process starts and ends (`pool`). What comes back is a record
(`records`), written down at once; `table`, `page` and `output` show the records.
"""

"""Campaigns: thousands of runs for a study, kept in one store, and what is measured over them.

A campaign is a small file (`file`, `levels`). It stands for runs (`plan`), which are carried out (`run`) by
the processes of the harness here, or by workers of Dask elsewhere (`cluster`); each record goes into the
`store` at once. `results` takes records out again and says which of them are wrong, `measures` sums them up,
`tables`, `frame` and `page` show them.
"""

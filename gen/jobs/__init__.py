"""The work of each command as a function without a terminal; `import sluice` calls it, too.

A function tells its progress to a `gen.jobs.progress.Progress`, and returns plain data.
"""

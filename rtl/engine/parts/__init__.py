"""Parts of several engines: plans, which describe, and components, which are built from plans."""

"""Parts that several engines share: plans, which describe, and the components built from plans."""

"""What engines are put together of: plans, which describe, and the components they are for."""

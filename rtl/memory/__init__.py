"""What keeps data: block memories cut to the shapes of block RAM."""

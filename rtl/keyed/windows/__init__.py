"""Window kinds: components that compute the windows that a tuple closes."""

"""Predicts the rate of a design without a simulation."""

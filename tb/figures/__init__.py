"""Reproduces figures of the seeds: predictions of our designs, and measured points.

``python -m tb.figures`` measures all points, and writes docs/figures/<name>.csv and .svg for each
figure. A figure is a module of this package, such as ``figure16``, with a ``FIGURE``, a
:class:`~tb.figures.figure.Figure`.
"""

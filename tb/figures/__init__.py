"""Figures of the seeds, made again: what designs are predicted to do, and measured points.

``python -m tb.figures`` measures all points, and writes of each figure docs/figures/<name>.csv and
.svg. A figure is a module here, such as ``figure16``, with a ``FIGURE`` in it, a
:class:`~tb.figures.figure.Figure`.
"""

"""Connects ``valid`` and ``ready`` of two streams, or of a pipeline, but not the payloads."""


def handshake(source, target):
    """Returns statements that transfer a payload whenever both streams are ready for it.

    The payload of ``target`` is left to the caller.
    """
    return [target.valid.eq(source.valid), source.ready.eq(target.ready)]


def handshakes(source, *stages):
    """Returns statements for a pipeline: ``source``, then stages that each have ports i and o.

    The payloads, and the output of the last stage, are left to the caller. For instance
    ``handshakes(self.i, read, counted)`` connects ``self.i`` to ``read.i`` and ``read.o`` to
    ``counted.i``.
    """
    outputs = [source, *(stage.o for stage in stages[:-1])]
    return [
        statement
        for output, stage in zip(outputs, stages, strict=True)
        for statement in handshake(output, stage.i)
    ]

"""A program annotated for the published tool, with an annotation that outlived its argument."""

from annotest.an_language import arg, integers, precondition


@arg("units", integers(1, 64))
@arg("units2", integers(1, 64))
@precondition("units > 1")
def layer(units, rate=2):
    assert units // rate >= 1

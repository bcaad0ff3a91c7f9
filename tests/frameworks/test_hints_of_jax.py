"""Hints of arrays that annotest does not make."""

import pytest

pytestmark = pytest.mark.frameworks


def test_arrays_of_jax_are_named_as_not_made():
    import jax
    from jaxtyping import Float, PRNGKeyArray

    from annotest.hints import hint_constraints

    def f(x: Float[jax.Array, "..."], key: PRNGKeyArray): ...

    said = {name: hint.unread for name, hint in hint_constraints(f).items()}
    assert said == {"x": "annotest makes no jax.Array", "key": "annotest makes no jax.Array"}

"""What a call of one function needs: its arguments with their constraints, and what is wrong."""

from annotest.signature.constructors import (
    constructor_signature,
    is_written,
    own_signature,
)
from annotest.signature.parts import (
    EMPTY,
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    Signature,
    as_written,
    bind_call,
    bind_example,
    initializer,
    is_generator,
    preconditions,
    site_of,
)
from annotest.signature.reading import read_signature, suggestion

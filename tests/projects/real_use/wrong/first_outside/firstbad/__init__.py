from firstbad.layers import Dense as Linear
from firstbad.layers import Wide

__all__ = ["Linear", "Wide"]

from firstlib.layers import Dense, Metric, Wide
from firstlib.layers import Dense as Linear

__all__ = ["Dense", "Linear", "Metric", "Wide"]

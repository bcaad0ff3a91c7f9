"""The arguments of a call as variables, and the recipes that chosen values make of them."""

"""Running targets: the parent that supervises, the workers that import, the search itself."""

"""Workers: each imports one module, plans, and has jobs done in children."""

"""What happens in the child of a worker: jobs, searches, attempts, calls."""

"""Times programs beside XLA's CPU back-end."""

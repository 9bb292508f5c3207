"""What rules may import besides the state."""

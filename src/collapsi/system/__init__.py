"""Access to the machine: files, memory, processor cores and optional libraries."""

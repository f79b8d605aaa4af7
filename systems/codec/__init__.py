"""The codec: frozen values as plain data and back, for files, messages between processes and caches."""

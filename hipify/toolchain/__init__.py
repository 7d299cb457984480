"""Compilers: finding them, provisioning them, their command lines; programs start here only."""

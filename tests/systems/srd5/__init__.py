"""Tests of SRD 5.2."""

"""Heron, an on-call agent: it reads alerts and runbooks, runs commands in a
container, and asks a person before it changes anything."""

__version__ = "0.1.0"

"""The tools that the model may call. All of them go through the registry."""

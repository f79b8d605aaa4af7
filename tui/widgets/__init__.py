"""The widgets of the screens. Each shows what its screen passes down and knows nothing about its siblings."""

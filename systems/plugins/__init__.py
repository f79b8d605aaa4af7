"""Games that other distributions bring: finding, checking and guarding them."""

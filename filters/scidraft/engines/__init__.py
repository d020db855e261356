"""The things that draw: each takes text, gives a picture, and knows nothing of pandoc's tree."""

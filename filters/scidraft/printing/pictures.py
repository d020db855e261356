"""Names pictures in a PDF by what is in them; WeasyPrint takes their address, so that a folder's name would change the bytes.

The private things of WeasyPrint here are the cache of a document's pictures, and `id` and `image_data` of a raster image.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def name(cache: Mapping[str, Any]) -> None:
    """Name the pictures of a document that is laid out and not yet drawn.

    Raises AttributeError or ImportError when WeasyPrint is another one.
    """
    from weasyprint.images import RasterImage

    for picture in cache.values():
        if isinstance(picture, RasterImage):
            picture.id = sha256(picture.image_data.data).hexdigest()[:32]

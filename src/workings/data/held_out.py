"""Held-out titles: passages of whole documents that are not trained on."""

import zlib

from workings.data.records import Passage

_BUCKETS = 1 << 32


def is_held_out(passage: Passage, share: float) -> bool:
    """Whether a passage is among the held-out ones.

    All passages with one title are held out together, so that no document is both trained on and
    scored. A passage without a title goes by its id.

    Args:
        passage: The passage.
        share: The share of the titles that are held out.
    """
    digest = zlib.crc32((passage.title or passage.id).encode("utf-8", "surrogatepass"))
    return digest < share * _BUCKETS

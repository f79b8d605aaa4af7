"""The prose of a paragraph: attacks, saving throws, damage and conditions, in prose or in tagged text."""

from systems.contract.stat_block import Feature, Paragraph


def feature(paragraph: Paragraph) -> Feature:
    """Return what a paragraph says; the prose that is not understood is in `left`."""
    text = " ".join(paragraph.text.split())
    return Feature(paragraph.section, paragraph.name, text, left=text)

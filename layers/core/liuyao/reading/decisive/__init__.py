"""The decisive rules (断语): what settles the outcome of a judgement before its reasons are summed.

`rules` tries those of the matter in order; the first that holds decides. `docs/decisions/what-decides-a-reading.md` has
the table of rules, with their chapters and where the books disagree.
"""

"""Do two sets of rules do the same? What the certificate is made of.

`attack` plays both on random levels and tries to tell them apart; `programs` sets passes side by side;
`windows` proves that passes do the same on every board, from what one cell can depend on; `contexts` proves
which boards there are between passes; `boards` goes through whole boards of a size.
`ggp.proof.equivalence.certificate` asks them in turn.
"""

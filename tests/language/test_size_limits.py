# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts that would be too long are refused before they are made."""

import pytest
from support.python_kernel import refused, same_as_python

BODIES = {
    "f-string": "x = f'{5:{2**32}}'  # here",
    "format": "x = '{:4294967296}'.format(5)  # here",
    "format, width passed": "x = '{:{}}'.format(5, 2**33)  # here",
    "format, width by keyword": "x = '{:{w}}'.format(5, w=2**33)  # here",
    "percent": "x = '%4294967296d' % 5  # here",
    "percent, width passed": "x = '%*d' % (2**33, 5)  # here",
    "to_bytes": "x = (5).to_bytes(2**33, 'little')  # here",
    "replace": "y = 'a,' * 100_000\nx = y.replace(',', y)  # here",
    "join": "x = ('a' * 1000).join(['b'] * 1_000_000)  # here",
    "translate": "x = ('a' * 1000).translate({97: 'b' * 1_000_000})  # here",
    "expandtabs": "x = ('\\t' * 1000).expandtabs(1_000_000)  # here",
    "sum of lists": "y = [[1]] * 1_000_000\nx = sum(y, [])  # here",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_too_long(body):
    refused(body, "L203")


def test_reasonable_sizes():
    same_as_python(
        """
        text = f'{5:8}' + '{:>{}}'.format(3, 9) + '%*d' % (5, 3) + ','.join(['b'] * 3).replace(',', '--') + 'a\\tb'.expandtabs(4)
        g.set_value(0, len(text))
        g.set_value(1, len((5).to_bytes(3, 'little')) + len(sum([[1, 2]] * 3, [])))
        """
    )

# SPDX-License-Identifier: Apache-2.0
"""Do the calls from file to file, and the uses of other files' variables, keep to layers.txt? Is each external
symbol defined once in what is linked together?"""
from tree import Complaint


def check(tree, objects):
    yield from objects.complaints
    yield from check_layers(tree.layers, objects)
    yield from check_definitions(objects)


def check_layers(layers, objects):
    for call in objects.calls():
        source, target = layers.folder(call.source), layers.folder(call.target)
        if source and target and not layers.allows(source, target):
            yield Complaint(call.source, f"{source} may not use {call.symbol} of {call.target} (layers.txt)")


def check_definitions(objects):
    for program, symbols in objects.definitions().items():
        for symbol, sources in sorted(symbols.items()):
            if len(sources) > 1 and symbol != "main":
                first, *others = sorted(sources)
                yield Complaint(first, f"{symbol} is defined in {' and '.join(others)} as well ({program})")

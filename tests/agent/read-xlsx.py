#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Prints what the sheets of a spreadsheet hold, without any library that knows the format.

    read-xlsx.py FILE [MOST]

A line a sheet, "# NAME ROWS", then a line a cell: sheet, cell, type, value (as a JSON string; "=" in
front of a formula's text), separated by tabs. MOST is how many rows are shown of each end of a sheet.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def unescape(text):
    """What _x001B_ and its like stand for, in one pass."""
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match.group(1), 16)), text)


def read_rows(file, most):
    first, last, count = [], [], 0
    for _, element in ElementTree.iterparse(file):
        if element.tag != MAIN + "row":
            continue
        count += 1
        cells = []
        for cell in element.iter(MAIN + "c"):
            kind = cell.get("t", "n")
            value = "".join(node.text or "" for node in cell.iter(MAIN + "t"))
            if kind != "inlineStr":
                value = cell.findtext(MAIN + "v") or ""
            formula = cell.findtext(MAIN + "f")
            cells.append((cell.get("r"), kind, ("=" + formula + ":" if formula is not None else "") + unescape(value)))
        element.clear()
        (first if len(first) < most else last).append(cells)
        del last[:-most]
    return first + last, count


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with zipfile.ZipFile(sys.argv[1]) as archive:
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        for number, sheet in enumerate(book.iter(MAIN + "sheet"), 1):
            with archive.open(f"xl/worksheets/sheet{number}.xml") as file:
                rows, count = read_rows(file, most)
            print(f"# {sheet.get('name')} {count}")
            for cells in rows:
                for cell, kind, value in cells:
                    print(number, cell, kind, json.dumps(value), sep="\t")


main()

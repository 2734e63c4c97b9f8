"""What the entries of ops say beyond what mlir-tblgen reads.

    python3 tools/gen/ods.py table CORE.json OUT.inc

CORE.json is what `llvm-tblgen --dump-json` makes of the .td file; OUT.inc gets
one line per op for ir/core/OpTable.cpp.
"""
import json
import sys


def entries(records):
    """(op name, summary, description, example) of each op, by name."""
    for key in records["!instanceof"]["Op"]:
        record = records[key]
        dialect = records[record["opDialect"]["def"]]["name"]
        yield (f"{dialect}.{record['opName']}", record.get("summary", ""),
               record.get("description", "").strip(),
               record.get("example", "").strip())


def table(records):
    def quote(text):
        return json.dumps(text, ensure_ascii=True)
    return "".join(f"{{{', '.join(quote(part) for part in entry)}}},\n"
                   for entry in sorted(entries(records)))


def main(arguments):
    if len(arguments) != 3 or arguments[0] != "table":
        sys.exit(__doc__)
    with open(arguments[1], encoding="utf-8") as file:
        text = table(json.load(file))
    with open(arguments[2], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])

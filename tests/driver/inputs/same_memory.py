"""Fails unless the report's measured memory and counters are the predicted."""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
memory = report["memory"]
assert memory["measured_peak_bytes"] == memory["predicted_peak_bytes"], memory
counted = {}
for c in report["collectives"]:
    kind = counted.setdefault(c["kind"], {"count": 0, "result_bytes": 0})
    kind["count"] += c["count"]
    kind["result_bytes"] += c["count"] * c["result_bytes"]
assert report["counters"] == counted, (report["counters"], counted)

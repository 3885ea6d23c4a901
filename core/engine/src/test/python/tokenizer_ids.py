"""tokenizer_ids.py TOKENIZER_JSON TEXTS_JSON OUT

What Python's tokenizers makes of a list of texts: ids with special tokens parsed and not, and the ids decoded.
The files in resources/tokenizer were made by it from texts.json and the tokenizers that PublishedVocabularies names.
"""

import json
import sys

import tokenizers

file, texts, out = sys.argv[1:]
tokenizer = tokenizers.Tokenizer.from_file(file)
with open(texts, encoding="utf-8") as source:
    texts = json.load(source)


def ids(parse_special):
    tokenizer.encode_special_tokens = not parse_special
    return [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]


special = ids(True)
plain = ids(False)
decoded = [tokenizer.decode(line, skip_special_tokens=True) for line in special]
with open(out, "w", encoding="utf-8") as target:
    lists = {"special": special, "plain": plain, "decoded": decoded}
    target.write("{\n")
    for number, (name, values) in enumerate(lists.items()):
        lines = ",\n".join(json.dumps(value, separators=(",", ":")) for value in values)
        target.write(f'"{name}": [\n{lines}\n]' + (",\n" if number < 2 else "\n"))
    target.write("}\n")

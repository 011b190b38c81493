#!/bin/sh
# Asks questions about three passages. The answers need arithmetic, counting or comparison.
set -eu
cd "$(dirname "$0")"

ask_about() {
    echo; fold -s -w 88 "$1"; echo
    passage=$1; shift
    for question in "$@"; do
        echo "? $question"
        workings ask "$question" --passage "$passage"
    done
}

ask_about game.txt \
    "How many more yards was the longest field goal than the shortest?" \
    "How many field goals did Marden kick?"
ask_about census.txt \
    "Which group is smaller: Dutch or Welsh?" \
    "How many more people than households were there?"
ask_about siege.txt \
    "How many years after the siege began was the treaty signed?" \
    "What happened first, the rebuilding of the harbour or the treaty?"

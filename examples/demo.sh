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
        echo
    done
}

ask_about fair.txt \
    "How many more dollars did the cake stall take than the book stall?" \
    "How many visitors were not children?" \
    "Which raised more money, the tombola or the book stall?"
ask_about bill.txt \
    "How many kWh less did you use than last year?" \
    "How many percent of the use was not heating?" \
    "How many years after it was installed was the meter replaced?"
ask_about ferry.txt \
    "How many more passengers did the ferry carry in July than in January?" \
    "How many minutes longer does the crossing take by way of Little Holm?" \
    "Which came first, the first ferry or the Islander?"

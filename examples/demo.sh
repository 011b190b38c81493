#!/bin/sh
# A match report, and three questions that need arithmetic or comparison.
set -eu
cd "$(dirname "$0")"

echo; fold -s -w 88 game.txt; echo
if [ -f ../src/workings/weights/model.safetensors ]; then
    workings ask "How many more yards was the longest field goal than the shortest?" --passage game.txt
    workings ask "How many yards was the longest field goal?" --passage game.txt
    workings ask "How many points did both teams score together?" --passage game.txt
else
    workings values game.txt
fi

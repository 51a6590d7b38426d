#!/usr/bin/env bash
# Instructions a hooked call takes: the difference of two runs of 2000 and 4000 calls, divided by 2000.
#
#   mpicc.openmpi -O2 -o one one.c && ./run.sh LIBFARSIDE_INTERPOSE
#
# One rank without a launcher, so that valgrind sees all of it; b is a broadcast, i an isend with its receive and wait,
# a an allreduce, s a sendrecv.
set -euo pipefail
library=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for operation in b i a s; do
    counts=()
    for calls in 2000 4000; do
        mkdir "$work/spool"
        counts+=("$(FARSIDE_SPOOL=$work/spool LD_PRELOAD=$library timeout 100 valgrind --tool=callgrind \
            --callgrind-out-file=/dev/null ./one "$operation" "$calls" 2>&1 | awk '/Collected/ { print $NF }')")
        rm -r "$work/spool"
    done
    echo "$operation $(((counts[1] - counts[0]) / 2000))"
done

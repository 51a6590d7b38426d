#!/bin/bash
# run.sh BIN args: cpu of ranks and of farside under check
F=/tmp/wt/judge/merged/target/release/farside
N=${N:-2}
/usr/bin/time -f "all: user %U sys %S wall %e maxrss %M" timeout 200 nice -n 15 $F check --quiet --color never ${OPT} -- mpirun.openmpi --allow-run-as-root --oversubscribe -n $N "$@" 2>&1 | tail -${TAIL:-12}

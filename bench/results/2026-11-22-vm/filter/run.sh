cd REPOSITORY; B=target/release/farside
run() { p=$1; shift; for r in 1 2 3; do
 for w in plain off on; do
  if [ $w = plain ]; then o=$(timeout 20 mpirun.openmpi -n 2 BINARIES/$p.plain "$@" 2>/dev/null); else o=$(timeout 25 $B check -- mpirun.openmpi -n 2 /tmp/w/fq/$p.$w "$@" 2>/dev/null); fi
  echo "$p $w $(echo "$o" | grep -o 'seconds=[0-9.]*' | head -1 | cut -d= -f2) $(echo "$o" | grep -o 'verified=[a-z]*')"
 done; done; }
run stencil-star 2000 30 2
run transpose 1024 20 32
run stencil-window 2000 30
run mesh-halo 100000 200 50
run dynamics

import subprocess,resource,time,statistics,os
inc = subprocess.run("mpicc.openmpi --showme:compile", shell=True, capture_output=True, text=True).stdout.strip()
def taken(cmd):
    w=time.time(); subprocess.run(cmd,shell=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL); return time.time()-w
b=os.environ.get("FARSIDE","target/release/farside")
print("load",os.getloadavg())
for p in "dynamics hash-update mesh-halo stencil-star stencil-window transpose tiny".split():
    f=f"bench/programs/{p}.c" if p!="tiny" else "bench/results/2026-11-29-lint/tiny.c"
    ways={"O2":f"clang-19 -O2 {inc} -c {f} -o /tmp/a.o","lint":f"{b} lint -q {f}","before":f"{os.environ['BEFORE']} lint -q {f}","time 0":f"{b} lint -q --time 0 {f}"}
    r={k:[] for k in ways}
    for _ in range(7):
        for k,c in ways.items(): r[k].append(taken(c))
    o=statistics.median(r["O2"])
    print(p," | ".join(f"{k} {statistics.median(v):.2f} ({min(v):.2f} to {max(v):.2f}) x{statistics.median(v)/o:.1f}" for k,v in r.items()))

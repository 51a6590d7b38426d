"""python3 measure.py OLD NEW OUT: processor time and wall time by turns."""
import json, os, resource, statistics, subprocess, sys, time
old, new, out = sys.argv[1:4]
inc = subprocess.run("mpicc.openmpi --showme:compile", shell=True, capture_output=True, text=True).stdout.strip()
def taken(cmd):
    a = resource.getrusage(resource.RUSAGE_CHILDREN); w = time.time()
    subprocess.run(cmd, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    b = resource.getrusage(resource.RUSAGE_CHILDREN)
    return [round(time.time() - w, 3), round(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime, 3)]
P = "dynamics hash-update mesh-halo stencil-star stencil-window transpose".split()
files = {p: f"bench/programs/{p}.c" for p in P}
files["tiny"] = "bench/results/2026-11-29-lint/tiny.c"
load = [os.getloadavg()[0]]
res = {}
for p, f in files.items():
    ways = {"clang -O2": f"clang-19 -O2 {inc} -c {f} -o /tmp/a.o", "lint before": f"{old} lint -q {f}", "lint": f"{new} lint -q {f}", "lint --threads 1": f"{new} lint -q --threads 1 {f}"}
    r = {k: [] for k in ways}
    for _ in range(5):
        for k, c in ways.items(): r[k].append(taken(c))
    res[p] = r
load.append(os.getloadavg()[0])
A = "euler3d sparsecg rmatgraph plasma kmers basin vortex tiles lattice seismo tracer shield".split()
apps = {}
if len(sys.argv) > 4:
    for a in A:
        import glob
        src = " ".join(sorted(glob.glob(f"bench/applications/{a}/*.c") + glob.glob(f"bench/applications/{a}/*.cpp") + glob.glob(f"bench/applications/{a}/*.f90")))
        apps[a] = {k: [taken(f"timeout 200 {b} lint -q {src}") for _ in range(int(sys.argv[4]))] for k, b in (("lint before", old), ("lint", new))}
    load.append(os.getloadavg()[0])
json.dump({"unit": "[seconds of wall time, seconds of processor time of the command and all that it starts]", "load": load, "programs": res, "applications": apps}, open(out, "w"), indent=1)
m = lambda v, n: (statistics.median(x[n] for x in v), min(x[n] for x in v), max(x[n] for x in v))
for p, r in list(res.items()) + list(apps.items()):
    line = [p]
    base = m(r["clang -O2"], 0)[0] if "clang -O2" in r else None
    for k, v in r.items():
        line.append(f"{k}: wall {m(v,0)[0]:.2f} ({m(v,0)[1]:.2f} to {m(v,0)[2]:.2f}) cpu {m(v,1)[0]:.2f}" + (f" x{m(v,0)[0]/base:.1f}" if base else ""))
    print(" | ".join(line))

#!/usr/bin/env python3
"""What `farside check` costs where operations are completed at their origin many times before they are at their target.

measure.py BEFORE AFTER [REPEATS] [EXTRA]: two folders with a `farside` and what lies beside it. Builds `scatter.c` and
`gups.c` with `farside cc` of AFTER, runs each of the commands by turns with both, and without the checker, and writes
`raw.json` and the table of medians. EXTRA is a JSON list of further commands, in this form: [name, [program, ...]].
"""
import json, os, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCH = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
COMMANDS = [[f"scatter {n} 4096 16", ["scatter", str(n), "4096", "16"]] for n in (5000, 10000, 20000, 40000)]
COMMANDS += [["scatter 40000 4096 16 all", ["scatter", "40000", "4096", "16", "all"]]]
COMMANDS += [[f"gups {a}", ["gups", *a.split()]] for a in ("-m 18 -u 50000 -b 16", "-m 18 -u 300000 -b 1024")]


def peak(pid, last):
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM"):
                    return int(line.split()[1])
    except OSError:
        pass
    return last


def run(command, log):
    """Seconds of the whole command, of processors for it and its children, and the peak of its first process in KiB."""
    before, memory = os.times(), 0
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=log, stderr=log)
    while process.poll() is None:
        memory = peak(process.pid, memory)
        time.sleep(0.005)
    wall, after = time.monotonic() - began, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"status": process.returncode, "wall_s": wall, "cpu_s": cpu, "peak_kib": memory}


def main():
    folders = {"before": sys.argv[1], "after": sys.argv[2]}
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    os.environ["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none"
    built = tempfile.mkdtemp()
    for name in ("scatter", "gups"):
        source, out = f"{HERE}/{name}.c", f"{built}/{name}"
        subprocess.run([f"{folders['after']}/farside", "cc", "mpicc.openmpi", "-g", "-O2", source, "-o", out],
                       check=True)
    commands = COMMANDS + (json.loads(sys.argv[4]) if len(sys.argv) > 4 else [])
    runs = []
    log = open(f"{built}/log", "w+")
    for turn in range(repeats):
        for name, (program, *arguments) in commands:
            path = program if program.startswith("/") else f"{built}/{program}"
            for way in ("plain", *folders):
                check = [] if way == "plain" else [f"{folders[way]}/farside", "check", "-q", "--"]
                command = check + LAUNCH + [path, *arguments]
                mark = log.tell()
                took = run(command, log)
                log.flush()
                log.seek(mark)
                said = [line for line in log.read().splitlines() if line.startswith("farside:")]
                runs.append({"turn": turn, "name": name, "way": way, "command": " ".join(command), **took,
                             "said": said, "load": os.getloadavg()[0]})
                print(turn, name, way, round(took["wall_s"], 2), took["status"], file=sys.stderr)
    with open(f"{HERE}/raw.json", "w") as raw:
        json.dump(runs, raw, indent=1)
    print("| command | plain (s) | before (s) | after (s) | processor before (s) | after (s) "
          "| peak before (MB) | after (MB) |")
    print("|---|---|---|---|---|---|---|---|")
    for name, _ in commands:
        of = lambda way, key: statistics.median(r[key] for r in runs if (r["name"], r["way"]) == (name, way))
        print(f"| `{name}` | {of('plain', 'wall_s'):.2f} | {of('before', 'wall_s'):.2f} | {of('after', 'wall_s'):.2f} "
              f"| {of('before', 'cpu_s'):.2f} | {of('after', 'cpu_s'):.2f} "
              f"| {of('before', 'peak_kib') / 1000:.0f} | {of('after', 'peak_kib') / 1000:.0f} |")


main()

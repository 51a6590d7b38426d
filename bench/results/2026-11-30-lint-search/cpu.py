import os, resource, statistics, subprocess

# Processor time by turns, from the root of the repository: FARSIDE=/path/to/farside BEFORE=/path/to/the/older.
PROGRAMS = ["dynamics", "hash-update", "mesh-halo", "stencil-star", "stencil-window", "transpose"]
include = subprocess.run(["mpicc.openmpi", "--showme:compile"], capture_output=True, text=True).stdout.split()


def taken(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for name in PROGRAMS:
    file = f"bench/programs/{name}.c"
    ways = {
        "clang": ["clang-19", "-O2", "-c", file, "-o", "/tmp/x.o", *include],
        "before": [os.environ["BEFORE"], "lint", "-q", file],
        "lint": [os.environ["FARSIDE"], "lint", "-q", file],
    }
    times = {way: [] for way in ways}
    for _ in range(3):
        for way, command in ways.items():
            times[way].append(taken(command))
    shown = [f"{statistics.median(all):.2f} ({min(all):.2f} to {max(all):.2f})" for all in times.values()]
    clang, before, lint = (statistics.median(all) for all in times.values())
    print(f"| {name} |", " | ".join(shown), f"| {before / clang:.1f} | {lint / clang:.1f} |", flush=True)

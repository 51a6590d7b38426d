//! Families of robust programs that grow.

/// A family: its name, what grows, its sizes, and its program at a size.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) grows: &'static str,
    pub(super) sizes: &'static [u32],
    pub(super) program: fn(u32) -> String,
}

/// All of them.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "ring",
        grows: "ranks",
        sizes: &[2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32, 48, 64],
        program: ring,
    },
    Family {
        name: "halo",
        grows: "ranks",
        sizes: &[2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32, 48, 64],
        program: halo,
    },
    Family {
        name: "queues",
        grows: "queues",
        sizes: &[1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256],
        program: queues,
    },
    Family {
        name: "progress",
        grows: "domain",
        sizes: &[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536],
        program: progress,
    },
    Family {
        name: "ticket-lock",
        grows: "ranks",
        sizes: &[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16],
        program: ticket_lock,
    },
];

/// The exchange of paper 003, Figure 1 (a), with a wait.
fn ring(ranks: u32) -> String {
    format!(
        "ranks {ranks}\ndomain 2\nshared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nwait q\nbarrier\nassert y == \
         1\n"
    )
}

/// The exchange of edges with both neighbours.
fn halo(ranks: u32) -> String {
    format!(
        "api shmem\nranks {ranks}\ndomain 2\nshared cell = me == 0, left, right\n\
         shmem_put(&left, &cell, 1, (me + 1) % n)\nshmem_put(&right, &cell, 1, (me + n - 1) % n)\nshmem_barrier_all()\n\
         cell = left || right\n"
    )
}

/// Data in each of many queues, each waited for before the flag.
fn queues(queues: u32) -> String {
    format!(
        "ranks 2\ndomain 2\nshared one = 1, data[{queues}], flag\nqueue q[{queues}]\nrank 0 {{\n{}wait q\nwrite(one, \
         1, flag, q[0])\n}} \
         else {{\nwhile flag == 0 {{ }}\nr = data[0]\n}}\n",
        (0..queues)
            .map(|queue| format!("write(one, 1, data[{queue}], q[{queue}])\n"))
            .collect::<String>()
    )
}

/// A counter that is published while it is read.
fn progress(domain: u32) -> String {
    format!(
        "ranks 2\ndomain {domain}\nshared step, seen\nqueue q\nrank 0 {{\nwhile step < {} {{\nstep = step + \
         1\nwrite(step, 1, seen, q)\n\
         wait_local q\n}}\n}} else {{\nloop {{ r = seen }}\n}}\n",
        domain - 1
    )
}

/// A lock at rank 0, the counter that it guards with it.
fn ticket_lock(ranks: u32) -> String {
    format!(
        "api shmem\nranks {ranks}\ndomain {}\nshared next, serving, count\nticket = shmem_atomic_fetch_inc(&next, 0)\n\
         now = shmem_atomic_fetch(&serving, 0)\nwhile now != ticket {{ now = shmem_atomic_fetch(&serving, 0) }}\nc = \
         shmem_g(&count, 0)\n\
         shmem_p(&count, c + 1, 0)\nshmem_quiet()\nshmem_atomic_inc(&serving, 0)\n",
        ranks + 1
    )
}

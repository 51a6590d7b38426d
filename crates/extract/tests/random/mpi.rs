//! Programs with MPI: windows that are allocated, in shared memory, and dynamic ones; operations with requests, and
//! messages, also by persistent requests, in partitions, and between neighbours in a graph with two edges of the same
//! processes, and offsets that scans give.

use crate::both::{Both, Random, Written, branches, declared};
use std::fmt::Write as _;

/// Cells of a window.
const CELLS: u64 = 2;

/// A window: its variable in C, and what its names in the other language end in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Window {
    Allocated,
    Shared,
    Dynamic,
}

const HEAD: &str = "#include <mpi.h>
#include <stdatomic.h>
#include <string.h>
static volatile int told[2];
int MPI_Psend_init(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Precv_init(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Pready(int, MPI_Request);
int MPI_Parrived(MPI_Request, int, int *);
static int v[2] = {0, 1}, token, tokens[2], buffers[2];
static volatile int copy, result;
int main(int argc, char **argv) {
MPI_Init(&argc, &argv);
int me, unit, neighbour, buffer, pair[2], flag;
volatile int *m;
_Atomic int *p[2];
MPI_Aint here, there[2], size;
MPI_Comm graph;
MPI_Win w, s, d;
MPI_Request send, receive, parts, pieces, q[8];
MPI_Comm_rank(MPI_COMM_WORLD, &me);
neighbour = 1 - me;
pair[0] = pair[1] = neighbour;
MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, pair, MPI_UNWEIGHTED, 2, pair, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                               &graph);
MPI_Send_init(&token, 1, MPI_INT, neighbour, 7, MPI_COMM_WORLD, &send);
MPI_Recv_init(&buffer, 1, MPI_INT, neighbour, 7, MPI_COMM_WORLD, &receive);
MPI_Psend_init(tokens, 2, 1, MPI_INT, neighbour, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &parts);
MPI_Precv_init(buffers, 2, 1, MPI_INT, neighbour, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &pieces);
";

/// The windows that a program has.
const MADE: [&str; 3] = [
    "MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
MPI_Win_lock_all(0, w);
",
    "MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &p[0], &s);
MPI_Win_shared_query(s, 0, &size, &unit, &p[0]);
MPI_Win_shared_query(s, 1, &size, &unit, &p[1]);
MPI_Win_lock_all(0, s);
",
    "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &d);
MPI_Win_attach(d, (void *)told, sizeof told);
MPI_Get_address((const void *)told, &here);
MPI_Allgather(&here, 1, MPI_AINT, there, 1, MPI_AINT, MPI_COMM_WORLD);
MPI_Win_lock_all(0, d);
",
];

/// What stands for the windows in the other language. Of a request each has a handle of its own.
const DECLARED: &str = "program random
ranks 2
domain 2
shared v[2], copy, result, message[32], loaded, mw[2], ms[2], md[2]
queue tw, ts, td, messages unordered
queue aw[2], as[2], ad[2], reached[2] ordered per target
handle ww[2], ws[2], wd[2], gw[2], gs[2], gd[2], cw[2], cs[2], cd[2], stores[2], sequential[2], loads, q[16]
";

impl Window {
    fn letter(self) -> char {
        match self {
            Self::Allocated => 'w',
            Self::Shared => 's',
            Self::Dynamic => 'd',
        }
    }

    /// Where a cell is, for operations.
    fn at(self, pe: u64, cell: u64) -> String {
        match self {
            Self::Dynamic => format!("MPI_Aint_add(there[{pe}], {})", 4 * cell),
            _ => cell.to_string(),
        }
    }

    /// A cell of the own process, in C.
    fn own(self, cell: u64) -> String {
        match self {
            Self::Allocated => format!("m[{cell}]"),
            // Not as an atomic operation of C, which waits for such stores before it.
            Self::Shared => format!("*(volatile int *)&p[me][{cell}]"),
            Self::Dynamic => format!("told[{cell}]"),
        }
    }
}

/// A program that is being written.
#[derive(Default)]
struct Program {
    windows: &'static [Window],
    ranks: [Both; 2],
    messages: u32,
    /// Whether a process has stored to its own part of the window in shared memory.
    stored: [bool; 2],
    /// Requests that were begun, and their targets: each process has its own.
    requests: [Vec<Open>; 2],
}

struct Open {
    window: Window,
    target: u64,
    gives: bool,
    waited: bool,
}

impl Program {
    fn step(&mut self, random: &mut Random) {
        match random.below(13) {
            10 if self.windows.contains(&Window::Shared) => self.exchange(random),
            10 | 11 => self.hand_over(random),
            12 => self.scan(random),
            0..7 => {
                let window = self.windows[random.below(self.windows.len() as u64) as usize];
                let at = random.below(2) as usize;
                match window == Window::Shared && random.below(3) > 0 {
                    true => self.shared(at, random, 1),
                    false => self.operation(at, window, random, 1),
                }
            }
            7 => {
                for (rank, both) in self.ranks.iter_mut().enumerate() {
                    let mine = self.messages as usize + rank;
                    let other = self.messages as usize + 1 - rank;
                    both.line(
                        &format!("{}\n{}", sent(1 - rank, other), awaited(mine)),
                        "MPI_Neighbor_alltoall(tokens, 1, MPI_INT, buffers, 1, MPI_INT, graph);",
                    );
                }
                self.messages += 2;
            }
            8 => {
                let from = random.below(2) as usize;
                self.message(from, random);
            }
            _ => {
                for both in &mut self.ranks {
                    both.line("barrier", "MPI_Barrier(MPI_COMM_WORLD);");
                }
            }
        }
    }

    /// Each process stores to a cell and loads the other one: by atomic operations of C of either kind.
    fn exchange(&mut self, random: &mut Random) {
        for (me, both) in self.ranks.iter_mut().enumerate() {
            let (r, other) = (both.register(), 1 - me);
            let store = |handle: &str| format!("swap(_, 0, ms[{me}], 1, reached[{me}], {handle}[0])");
            self.stored[me] |= me == 0;
            match random.below(4) {
                0 => both.line(
                    &store("stores"),
                    &format!("atomic_store_explicit(&p[0][{me}], 1, memory_order_relaxed);"),
                ),
                _ => both.line(
                    &format!("wait stores\nwait sequential\n{}", store("sequential")),
                    &format!("atomic_store(&p[0][{me}], 1);"),
                ),
            }
            let load =
                format!("read(loaded, 0, ms[{other}], reached[{other}], loads)\nwait loads\n{r} = loaded");
            match random.below(4) {
                0 => both.line(
                    &load,
                    &format!("{r} = atomic_load_explicit(&p[0][{other}], memory_order_relaxed);"),
                ),
                _ => both.line(
                    &format!("wait sequential\n{load}"),
                    &format!("{r} = atomic_load(&p[0][{other}]);"),
                ),
            }
        }
    }

    /// A value, and a message that says that it is there, if something between completes it.
    fn hand_over(&mut self, random: &mut Random) {
        let window = self.windows[random.below(self.windows.len() as u64) as usize];
        let (from, cell, letter) = (random.below(2) as usize, random.below(CELLS), window.letter());
        let to = 1 - from as u64;
        let (at, there) = (window.at(to, cell), format!("m{letter}[{cell}]"));
        let number = self.requests[from].len();
        let shared = window == Window::Shared && random.below(2) == 0;
        let put = format!("(&v[1], 1, MPI_INT, {to}, {at}, 1, MPI_INT, {letter}");
        if shared {
            self.ranks[from].line(
                &format!("swap(_, {to}, {there}, 1, reached[{cell}], stores[{to}])"),
                &format!("*(volatile int *)&p[{to}][{cell}] = 1;"),
            );
        } else if number < 7 && random.below(3) == 0 {
            self.requests[from].push(Open {
                window,
                target: to,
                gives: false,
                waited: true,
            });
            self.ranks[from].line(
                &format!("write(v[1], {to}, {there}, t{letter}, q[{number}])\nwait_local q[{number}]"),
                &format!("MPI_Rput{put}, &q[{number}]);\nMPI_Wait(&q[{number}], MPI_STATUS_IGNORE);"),
            );
        } else {
            self.ranks[from].line(
                &format!("write(v[1], {to}, {there}, t{letter}, w{letter}[{to}])"),
                &format!("MPI_Put{put});"),
            );
        }
        match random.below(4) {
            0 => {}
            1 => {
                let wait = self.flush_local(from, window, to);
                self.ranks[from].line(&wait, &format!("MPI_Win_flush_local({to}, {letter});"));
            }
            2 if shared => self.ranks[from].line("wait stores\nwait sequential", "MPI_Win_sync(s);"),
            _ => {
                let wait = self.flush(from, window, to);
                self.ranks[from].line(&wait, &format!("MPI_Win_flush({to}, {letter});"));
            }
        }
        self.message(from, random);
        let both = &mut self.ranks[1 - from];
        let r = both.register();
        let load = match window {
            Window::Shared => {
                format!("read(loaded, {to}, {there}, reached[{cell}], loads)\nwait loads\n{r} = loaded")
            }
            _ => format!("{r} = {there}"),
        };
        both.line(&load, &format!("{r} = {};", window.own(cell)));
    }

    /// A put at an offset that a scan gives: the second process has what the first one brings, or that and its own.
    fn scan(&mut self, random: &mut Random) {
        let window = self.windows[random.below(self.windows.len() as u64) as usize];
        let (pe, cell, letter) = (random.below(2), random.below(CELLS), window.letter());
        let number = self.messages as usize;
        self.messages += 1;
        let (call, brought) = match random.below(2) {
            0 => ("MPI_Exscan", [cell, 1]),
            _ => ("MPI_Scan", [cell / 2, cell - cell / 2]),
        };
        let at = match window {
            Window::Dynamic => format!("MPI_Aint_add(there[{pe}], 4 * pair[1])"),
            _ => "pair[1]".to_owned(),
        };
        let pgas = [
            sent(1, number),
            format!(
                "{}\nwrite(v[1], {pe}, m{letter}[{cell}], t{letter}, w{letter}[{pe}])",
                awaited(number)
            ),
        ];
        let put = format!("\nMPI_Put(&v[1], 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter});");
        for (me, both) in self.ranks.iter_mut().enumerate() {
            let put = if me == 1 { put.as_str() } else { "" };
            both.line(
                &pgas[me],
                &format!(
                    "pair[0] = {};\n{call}(&pair[0], &pair[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);{put}",
                    brought[me]
                ),
            );
        }
    }

    /// A message.
    fn message(&mut self, from: usize, random: &mut Random) {
        let to = 1 - from;
        let number = self.messages as usize;
        self.messages += 1;
        let (sends, receives) = match random.below(4) {
            3 => return self.partitions(from, random),
            0 => (
                "MPI_Start(&send);\nMPI_Wait(&send, MPI_STATUS_IGNORE);".to_owned(),
                "MPI_Start(&receive);\nMPI_Wait(&receive, MPI_STATUS_IGNORE);".to_owned(),
            ),
            1 => (
                format!(
                    "MPI_Isend(&token, 1, MPI_INT, {to}, 0, MPI_COMM_WORLD, &q[7]);\nMPI_Wait(&q[7], \
                     MPI_STATUS_IGNORE);"
                ),
                format!("MPI_Recv(&buffer, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"),
            ),
            _ => (
                format!("MPI_Send(&token, 1, MPI_INT, {to}, 0, MPI_COMM_WORLD);"),
                format!(
                    "MPI_Irecv(&buffer, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, &q[7]);\nMPI_Wait(&q[7], \
                     MPI_STATUS_IGNORE);"
                ),
            ),
        };
        self.ranks[from].line(&sent(to, number), &sends);
        self.ranks[to].line(&awaited(number), &receives);
    }

    /// A message in two partitions, which are ready one after the other, with something between; one of them is looked
    /// at first.
    fn partitions(&mut self, from: usize, random: &mut Random) {
        let to = 1 - from;
        let (first, second) = (self.messages as usize - 1, self.messages as usize);
        self.messages += 1;
        let window = self.windows[random.below(self.windows.len() as u64) as usize];
        self.ranks[from].line(&sent(to, first), "MPI_Start(&parts);\nMPI_Pready(1, parts);");
        self.operation(from, window, random, 0);
        self.ranks[from].line(
            &sent(to, second),
            "MPI_Pready(0, parts);\nMPI_Wait(&parts, MPI_STATUS_IGNORE);",
        );
        let which = random.below(2);
        let looked_at = if which == 1 { first } else { second };
        self.ranks[to].line(
            &awaited(looked_at),
            &format!(
                "MPI_Start(&pieces);\nflag = 0;\nwhile (!flag)\n    MPI_Parrived(pieces, {which}, &flag);"
            ),
        );
        self.operation(to, window, random, 0);
        let other = first + second - looked_at;
        self.ranks[to].line(&awaited(other), "MPI_Wait(&pieces, MPI_STATUS_IGNORE);");
    }

    fn operation(&mut self, me: usize, window: Window, random: &mut Random, depth: u32) {
        let letter = window.letter();
        let (pe, cell, value) = (random.below(2), random.below(CELLS), random.below(2));
        let (at, there) = (window.at(pe, cell), format!("m{letter}[{cell}]"));
        let own = window.own(1 - cell);
        let own_there = format!("m{letter}[{}]", 1 - cell);
        let gives = random.below(2) == 0;
        match random.below(14) {
            0 | 1 => self.ranks[me].line(
                &format!("write(v[{value}], {pe}, {there}, t{letter}, w{letter}[{pe}])"),
                &format!("MPI_Put(&v[{value}], 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter});"),
            ),
            2 if window != Window::Shared => self.ranks[me].line(
                &format!("write({own_there}, {pe}, {there}, t{letter}, w{letter}[{pe}])"),
                &format!("MPI_Put((void *)&{own}, 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter});"),
            ),
            3 if window != Window::Shared => self.ranks[me].line(
                &format!("read({own_there}, {pe}, {there}, t{letter}, g{letter}[{pe}])"),
                &format!("MPI_Get((void *)&{own}, 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter});"),
            ),
            4 => self.ranks[me].line(
                &format!("swap(_, {pe}, {there}, {value}, a{letter}[{cell}], c{letter}[{pe}])"),
                &format!(
                    "MPI_Accumulate(&v[{value}], 1, MPI_INT, {pe}, {at}, 1, MPI_INT, MPI_REPLACE, {letter});"
                ),
            ),
            // What is there is taken, waited for, and used.
            5 => {
                let r = self.ranks[me].register();
                let wait = self.flush(me, window, pe);
                self.ranks[me].line(
                    &format!(
                        "cas(result, {pe}, {there}, 0, 1, a{letter}[{cell}], g{letter}[{pe}])\n{wait}\n{r} = result"
                    ),
                    &format!(
                        "MPI_Compare_and_swap(&v[1], &v[0], (void *)&result, MPI_INT, {pe}, {at}, \
                         {letter});\nMPI_Win_flush({pe}, {letter});\n{r} = result;"
                    ),
                );
                self.conditional(me, &r, random, depth);
            }
            6 => {
                let (r, local) = (self.ranks[me].register(), self.flush_local(me, window, pe));
                let (call, wait) = match gives {
                    true => ("MPI_Win_flush_local", local),
                    false => ("MPI_Win_flush", self.flush(me, window, pe)),
                };
                self.ranks[me].line(
                    &format!("read(copy, {pe}, {there}, t{letter}, g{letter}[{pe}])\n{wait}\n{r} = copy"),
                    &format!(
                        "MPI_Get((void *)&copy, 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter});\n{call}({pe}, \
                         {letter});\n{r} = copy;"
                    ),
                );
                self.conditional(me, &r, random, depth);
            }
            7 => {
                let wait = self.flush_local(me, window, pe);
                self.ranks[me].line(&wait, &format!("MPI_Win_flush_local({pe}, {letter});"));
            }
            8 | 9 => {
                let wait = self.flush(me, window, pe);
                self.ranks[me].line(&wait, &format!("MPI_Win_flush({pe}, {letter});"));
            }
            10 if depth > 0 && self.requests[me].len() < 7 => self.request(me, window, (pe, cell), random),
            11 if window != Window::Shared => {
                let line = (
                    format!("{there} = {value}"),
                    format!("{} = {value};", window.own(cell)),
                );
                self.ranks[me].line(&line.0, &line.1);
            }
            _ if window != Window::Shared => {
                let r = self.ranks[me].register();
                self.ranks[me].line(&format!("{r} = {there}"), &format!("{r} = {};", window.own(cell)));
                self.conditional(me, &r, random, depth);
            }
            _ => self.shared(me, random, depth),
        }
    }

    /// Waits for all operations of a process on a target.
    fn flush(&self, me: usize, window: Window, pe: u64) -> String {
        let letter = window.letter();
        let mut text = format!("wait w{letter}[{pe}]\nwait g{letter}[{pe}]\nwait c{letter}[{pe}]\n");
        if window == Window::Shared {
            let _ = writeln!(text, "wait stores[{pe}]\nwait sequential[{pe}]");
        }
        for (number, open) in self.requests[me].iter().enumerate() {
            if open.window == window && open.target == pe {
                let _ = writeln!(text, "wait q[{number}]");
            }
        }
        text
    }

    fn flush_local(&self, me: usize, window: Window, pe: u64) -> String {
        let letter = window.letter();
        let mut text = format!("wait_local w{letter}[{pe}]\nwait g{letter}[{pe}]\n");
        for (number, open) in self.requests[me].iter().enumerate() {
            if open.window == window && open.target == pe {
                let wait = if open.gives { "wait" } else { "wait_local" };
                let _ = writeln!(text, "{wait} q[{number}]");
            }
        }
        text
    }

    /// An operation with a request, and its wait, which may come later; or the wait for one that was begun.
    fn request(&mut self, me: usize, window: Window, (pe, cell): (u64, u64), random: &mut Random) {
        let letter = window.letter();
        let (at, there) = (window.at(pe, cell), format!("m{letter}[{cell}]"));
        let number = self.requests[me].len();
        let (own, own_there) = match window {
            Window::Shared => ("copy".to_owned(), "copy".to_owned()),
            _ => (window.own(1 - cell), format!("m{letter}[{}]", 1 - cell)),
        };
        let gives = random.below(2) == 0;
        let (word, call) = if gives {
            ("read", "Rget")
        } else {
            ("write", "Rput")
        };
        self.ranks[me].line(
            &format!("{word}({own_there}, {pe}, {there}, t{letter}, q[{number}])"),
            &format!(
                "MPI_{call}((void *)&{own}, 1, MPI_INT, {pe}, {at}, 1, MPI_INT, {letter}, &q[{number}]);"
            ),
        );
        self.requests[me].push(Open {
            window,
            target: pe,
            gives,
            waited: false,
        });
        if random.below(2) == 0 {
            self.operation(me, window, random, 0);
        }
        // One of those that were not waited for, or none.
        let open: Vec<usize> = (0..self.requests[me].len())
            .filter(|at| !self.requests[me][*at].waited)
            .collect();
        let Some(number) = open.get(random.below(open.len() as u64 + 1) as usize).copied() else {
            return;
        };
        let request = &mut self.requests[me][number];
        request.waited = true;
        let wait = if request.gives { "wait" } else { "wait_local" };
        self.ranks[me].line(
            &format!("{wait} q[{number}]"),
            &format!("MPI_Wait(&q[{number}], MPI_STATUS_IGNORE);"),
        );
        let store = random.below(2) == 0 && window != Window::Shared;
        if store {
            self.ranks[me].line(&format!("{own_there} = 1"), &format!("{own} = 1;"));
        }
    }

    /// Loads and stores of memory that both processes reach, and what makes stores seen.
    fn shared(&mut self, me: usize, random: &mut Random, depth: u32) {
        let (pe, cell, value) = (random.below(2), random.below(CELLS), random.below(2));
        let there = format!("ms[{cell}]");
        let both = &mut self.ranks[me];
        let store = format!("swap(_, {pe}, {there}, {value}, reached[{cell}], stores[{pe}])");
        let load = format!("read(loaded, {pe}, {there}, reached[{cell}], loads)\nwait loads");
        let relaxed = "memory_order_relaxed";
        let seen = "wait stores\nwait sequential";
        let what = random.below(16);
        self.stored[me] |= (what < 4 || what == 13) && pe == me as u64;
        match what {
            0 | 1 => both.line(&store, &format!("*(volatile int *)&p[{pe}][{cell}] = {value};")),
            2 => both.line(
                &format!("{seen}\n{store}"),
                &format!("atomic_store_explicit(&p[{pe}][{cell}], {value}, memory_order_release);"),
            ),
            3 => both.line(
                &format!("{seen}\n{}", store.replace("stores", "sequential")),
                &format!("atomic_store(&p[{pe}][{cell}], {value});"),
            ),
            4 | 5 => both.line(seen, "MPI_Win_sync(s);"),
            6 => both.line(seen, "atomic_thread_fence(memory_order_seq_cst);"),
            13 => {
                let stores =
                    [0, 1].map(|at| format!("swap(_, {pe}, ms[{at}], {at}, reached[{at}], stores[{pe}])"));
                both.line(
                    &stores.join("\n"),
                    &format!("memcpy((void *)p[{pe}], v, sizeof v);"),
                );
            }
            14 => {
                let r = both.register();
                let loads = [0, 1].map(|at| {
                    load.replace(&there, &format!("ms[{at}]"))
                        .replace(&format!("reached[{cell}]"), &format!("reached[{at}]"))
                });
                both.line(
                    &format!("{}\n{r} = loaded\n{}", loads[0], loads[1]),
                    &format!("memcpy(pair, (void *)p[{pe}], sizeof pair);\n{r} = pair[0];"),
                );
                self.conditional(me, &r, random, depth);
            }
            11 | 12 => {
                let r = both.register();
                both.line(
                    &format!("wait sequential\n{load}\n{r} = loaded"),
                    &format!("{r} = atomic_load(&p[{pe}][{cell}]);"),
                );
                self.conditional(me, &r, random, depth);
            }
            7 => {
                let r = both.register();
                both.line(
                    &format!("fetch_add(loaded, {pe}, {there}, 1, reached[{cell}], loads)\nwait loads\n{r} = loaded"),
                    &format!("{r} = atomic_fetch_add_explicit(&p[{pe}][{cell}], 1, {relaxed});"),
                );
                self.conditional(me, &r, random, depth);
            }
            8 => {
                let c = format!("while (atomic_load_explicit(&p[{pe}][{cell}], {relaxed}) == 0)\n    ;");
                let pgas = match pe == me as u64 {
                    false => format!("{load}\nr0 = loaded\nwhile r0 == 0 {{\n{load}\nr0 = loaded\n}}"),
                    // Waiting for a value in the own memory, which must be seen at once.
                    true if !self.stored[me] => format!("while {there} == 0 {{ }}"),
                    true => return,
                };
                both.line(&pgas, &c);
            }
            _ => {
                let r = both.register();
                both.line(
                    &format!("{load}\n{r} = loaded"),
                    &format!("{r} = *(volatile int *)&p[{pe}][{cell}];"),
                );
                self.conditional(me, &r, random, depth);
            }
        }
    }

    /// What is done if a value is 1, so that it matters.
    fn conditional(&mut self, me: usize, r: &str, random: &mut Random, depth: u32) {
        if depth == 0 {
            return;
        }
        self.ranks[me].line(&format!("if {r} == 1 {{"), &format!("if ({r} == 1) {{"));
        let window = self.windows[random.below(self.windows.len() as u64) as usize];
        self.operation(me, window, random, depth - 1);
        self.ranks[me].line("}", "}");
    }
}

fn sent(to: usize, number: usize) -> String {
    format!("swap(_, {to}, message[{number}], 1, messages)\nwait messages")
}

fn awaited(number: usize) -> String {
    format!("while message[{number}] == 0 {{ }}")
}

pub(crate) fn written(seed: u64) -> Written {
    let mut random = Random::of(seed);
    let windows: &'static [Window] = match random.below(5) {
        0 => &[Window::Allocated],
        1 => &[Window::Dynamic],
        2 => &[Window::Allocated, Window::Dynamic],
        3 => &[Window::Shared],
        _ => &[Window::Shared, Window::Allocated],
    };
    let mut program = Program {
        windows,
        ..Program::default()
    };
    for _ in 0..5 + random.below(5) {
        program.step(&mut random);
    }
    let mut pgas = DECLARED.to_owned();
    let mut c = format!("{HEAD}{}", declared(&program.ranks));
    for window in windows {
        c.push_str(MADE[*window as usize]);
    }
    for both in &mut program.ranks {
        both.pgas.insert_str(0, "v[1] = 1\nbarrier\n");
    }
    branches(&program.ranks, &mut pgas, &mut c);
    c.push_str("return 0;\n}\n");
    Written { pgas, c: vec![c] }
}

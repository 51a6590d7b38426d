//! Functions that are not in the module: MPI, the C library, threads.
//!
//! What is not known returns an unknown value and touches nothing; that is where this analysis may miss something.

use crate::flow::Flow;
use crate::job::Job;
use crate::mathematics;
use crate::reach::Cause;
use crate::site::Site;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

const NOTHING: Flow = Flow::Return(Scalar::known(0));

impl Job<'_> {
    /// Whether a function is followed by its meaning although the module defines it.
    pub(crate) fn is_replaced(&self, name: &str) -> bool {
        name.starts_with("MPI_")
    }

    /// Calls a function that is not in the module.
    pub(crate) fn outside(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        if let Some(value) = mathematics::value(name, a) {
            return Flow::Return(value);
        }
        if let Some(rest) = name.strip_prefix("PMPI_") {
            return self.mpi(site, &format!("MPI_{rest}"), a);
        }
        if name.starts_with("MPI_") {
            return self.mpi(site, name, a);
        }
        if let Some(flow) = self.fortran_call(site, name, a) {
            return flow;
        }
        if let Some(rest) = name.strip_prefix("_FortranA") {
            return self.fortran_runtime(site, rest, a);
        }
        if let Some(flow) = self.thread_call(site, name, a) {
            return flow;
        }
        if let Some(flow) = self.formatted(site, name, a) {
            return flow;
        }
        match a {
            [a, b, c, ..] => self.library(site, name, *a, *b, *c),
            [a, b] => self.library(site, name, *a, *b, Scalar::default()),
            [a] => self.library(site, name, *a, Scalar::default(), Scalar::default()),
            [] => self.library(
                site,
                name,
                Scalar::default(),
                Scalar::default(),
                Scalar::default(),
            ),
        }
    }

    /// From now on the elements of some memory, the first 65,536 of it, are values from outside; samples stay as they are.
    pub(crate) fn come_from_outside(&mut self, site: &Site, address: u64, length: u64, element: u64) {
        // An element that is no number is taken to be made of numbers of 4 bytes.
        let size = if matches!(element, 1 | 2 | 4 | 8) {
            element
        } else {
            4
        };
        for nth in 0..(length / size).min(1 << 16) {
            let at = address.wrapping_add(nth * size);
            let memory = self.memory_mut(site.rank, at);
            let bits = memory.load(at, size).bits;
            let symbol = source(("input", site.rank, site.place, at));
            memory.store(at, size, Scalar { bits, symbol });
        }
    }

    /// A block is given back: whoever still uses it loses it, as if all of it were stored to.
    fn release(&mut self, site: &Site, name: &str, block: u64) {
        let object = self.memory(site.rank, block).object(block);
        if let Some((base, size)) = object.map(|(base, object)| (base, object.size)) {
            self.library_access(site, name, AccessKind::Store, base, size);
        }
        self.processes.of_mut(site.rank).memory.free(block);
    }

    fn library(&mut self, site: &Site, name: &str, a: Scalar, b: Scalar, c: Scalar) -> Flow {
        // The intrinsics of LLVM carry their types in their names.
        let plain = name
            .strip_prefix("llvm.")
            .map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
        match plain {
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                self.copy(
                    site,
                    plain.trim_start_matches('_').trim_end_matches("_chk"),
                    a.bits,
                    b.bits,
                    c.bits,
                );
                Flow::Return(a)
            }
            "memset" | "__memset_chk" => {
                self.library_access(site, "memset", AccessKind::Store, a.bits, c.bits);
                let size = c.bits.min(1 << 26) as usize;
                self.memory_mut(site.rank, a.bits)
                    .write(a.bits, &vec![b.bits as u8; size]);
                Flow::Return(a)
            }
            "bzero" => {
                self.library_access(site, name, AccessKind::Store, a.bits, b.bits);
                self.memory_mut(site.rank, a.bits)
                    .write(a.bits, &vec![0; b.bits.min(1 << 26) as usize]);
                NOTHING
            }
            "memcmp" | "bcmp" => {
                for at in [a.bits, b.bits] {
                    self.library_access(site, name, AccessKind::Load, at, c.bits);
                }
                let (x, y) = (
                    self.memory(site.rank, a.bits).bytes(a.bits, c.bits),
                    self.memory(site.rank, b.bits).bytes(b.bits, c.bits),
                );
                Flow::Return(Scalar::known(x.cmp(&y) as i32 as u32 as u64))
            }
            "malloc" | "valloc" | "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => {
                self.allocate(site, a.bits, name)
            }
            "calloc" => self.allocate(site, a.bits.saturating_mul(b.bits), name),
            "aligned_alloc" | "memalign" | "_ZnwmSt11align_val_t" => {
                let size = if name.starts_with('_') { a.bits } else { b.bits };
                self.allocate(site, size, name)
            }
            "posix_memalign" => {
                let base = self.processes.of_mut(site.rank).memory.allocate(c.bits, name);
                self.memory_mut(site.rank, a.bits)
                    .store(a.bits, 8, Scalar::known(base));
                NOTHING
            }
            "realloc" => {
                let old = self
                    .memory(site.rank, a.bits)
                    .object(a.bits)
                    .map_or(0, |(_, object)| object.size);
                let base = self.processes.of_mut(site.rank).memory.allocate(b.bits, name);
                self.copy(site, name, base, a.bits, old.min(b.bits));
                self.release(site, name, a.bits);
                Flow::Return(Scalar::known(base))
            }
            "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
                self.release(site, "free", a.bits);
                NOTHING
            }
            "strlen" => {
                let length = self.memory(site.rank, a.bits).string(a.bits).len() as u64;
                self.library_access(site, name, AccessKind::Load, a.bits, length + 1);
                Flow::Return(Scalar::known(length))
            }
            "strcpy" | "strncpy" | "strcat" | "stpcpy" | "__strcpy_chk" | "__strncpy_chk" => {
                let text = self.memory(site.rank, b.bits).string(b.bits);
                let limited = plain.contains("strn");
                let written = if limited { c.bits } else { text.len() as u64 + 1 };
                self.library_access(
                    site,
                    name,
                    AccessKind::Load,
                    b.bits,
                    (text.len() as u64 + 1).min(written),
                );
                let start = if name == "strcat" {
                    a.bits + self.memory(site.rank, a.bits).string(a.bits).len() as u64
                } else {
                    a.bits
                };
                self.library_access(site, name, AccessKind::Store, start, written);
                let mut bytes = text;
                bytes.resize(written.min(1 << 20) as usize, 0);
                self.memory_mut(site.rank, start).write(start, &bytes);
                Flow::Return(a)
            }
            "strcmp" | "strncmp" => {
                let (x, y) = (
                    self.memory(site.rank, a.bits).string(a.bits),
                    self.memory(site.rank, b.bits).string(b.bits),
                );
                let limit = if name == "strncmp" {
                    c.bits as usize
                } else {
                    usize::MAX
                };
                for (at, text) in [(a.bits, &x), (b.bits, &y)] {
                    self.library_access(site, name, AccessKind::Load, at, text.len() as u64 + 1);
                }
                let (x, y) = (&x[..x.len().min(limit)], &y[..y.len().min(limit)]);
                Flow::Return(Scalar::known(x.cmp(y) as i32 as u32 as u64))
            }
            "puts" | "fputs" | "perror" => {
                let length = self.memory(site.rank, a.bits).string(a.bits).len() as u64;
                self.library_access(site, name, AccessKind::Load, a.bits, length + 1);
                NOTHING
            }
            "fwrite" | "write" => {
                let (at, size) = if name == "write" {
                    (b.bits, c.bits)
                } else {
                    (a.bits, b.bits.saturating_mul(c.bits))
                };
                self.library_access(site, name, AccessKind::Load, at, size);
                Flow::Return(c)
            }
            "fread" | "read" => {
                let (at, size) = if name == "read" {
                    (b.bits, c.bits)
                } else {
                    (a.bits, b.bits.saturating_mul(c.bits))
                };
                self.library_access(site, name, AccessKind::Store, at, size);
                let element = if name == "fread" { b.bits } else { 4 };
                self.come_from_outside(site, at, size, element);
                Flow::Return(c)
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = a.is_known().then(|| a.signed32());
                // A program that gives up tells little of how it ends when it works.
                if a.bits != 0 || self.processes.of(site.rank).initialized && a.symbol != 0 {
                    self.give_up(site, name, status);
                } else {
                    self.stop(site.at(), Cause::Call(name.into(), status), site.place);
                }
                self.end_process(site.rank);
                Flow::Ended
            }
            "abort" | "__assert_fail" | "_ZSt9terminatev" | "__cxa_throw" => {
                self.give_up(site, name, None);
                Flow::Ended
            }
            "sleep" | "usleep" | "nanosleep" | "sched_yield" => Flow::Poll(Scalar::known(0)),
            "fflush" | "putchar" | "srand" | "srand48" | "srandom" | "fclose" | "setvbuf" | "atexit"
            | "__cxa_atexit" | "stackrestore" | "va_start" | "va_end" | "trap" | "signal" | "setlinebuf"
            | "setbuf" => NOTHING,
            "expect" => Flow::Return(a),
            "stacksave" => NOTHING,
            "__cxa_guard_acquire" => {
                let done = self.memory(site.rank, a.bits).load(a.bits, 1).bits;
                Flow::Return(Scalar::known(u64::from(done == 0)))
            }
            "__cxa_guard_release" => {
                self.memory_mut(site.rank, a.bits)
                    .store(a.bits, 1, Scalar::known(1));
                NOTHING
            }
            "fopen" | "fopen64" | "tmpfile" | "tmpfile64" | "fdopen" | "freopen" | "popen" | "opendir" => {
                let file = self.processes.of_mut(site.rank).memory.allocate(256, name);
                Flow::Return(Scalar {
                    bits: file,
                    symbol: source((name, site.place)),
                })
            }
            "qsort" => {
                let size = b.bits.saturating_mul(c.bits);
                self.library_access(site, name, AccessKind::Load, a.bits, size);
                self.library_access(site, name, AccessKind::Store, a.bits, size);
                NOTHING
            }
            "strtol" | "atoi" | "atol" | "atoll" | "strtoll" | "strtoul" | "strtoull" => {
                self.parsed_number(site, name, a)
            }
            // Without arguments there are no options.
            "getopt" | "getopt_long" | "getopt_long_only" => {
                let mut option = self.outside_value(site, name);
                option.bits = u64::from(u32::MAX);
                Flow::Return(option)
            }
            "getenv" => Flow::Return(Scalar {
                bits: 0,
                symbol: source(("getenv", site.place)),
            }),
            "rand" | "random" | "lrand48" | "time" | "clock" => self.fresh(site, name),
            _ => self.fresh(site, name),
        }
    }

    fn fresh(&mut self, site: &Site, name: &str) -> Flow {
        let value = self.outside_value(site, name);
        Flow::Return(value)
    }

    fn allocate(&mut self, site: &Site, size: u64, name: &str) -> Flow {
        // A size that the outside world decides still needs room for what a small input would make of it.
        let base = self
            .processes
            .of_mut(site.rank)
            .memory
            .allocate(size.min(1 << 40), name);
        Flow::Return(Scalar::known(base))
    }

    fn copy(&mut self, site: &Site, name: &str, to: u64, from: u64, size: u64) {
        self.library_access(site, name, AccessKind::Load, from, size);
        self.library_access(site, name, AccessKind::Store, to, size);
        let shared = crate::layout::SHARED;
        if (from >= shared) == (to >= shared) {
            self.memory_mut(site.rank, to).copy(from, to, size);
        } else {
            let bytes = self.memory(site.rank, from).bytes(from, size);
            self.memory_mut(site.rank, to).write(to, &bytes);
        }
    }

    /// A number in a text: known if the program wrote the text, else a sample that is neither 0 nor 1.
    fn parsed_number(&mut self, site: &Site, name: &str, a: Scalar) -> Flow {
        let text = self.memory(site.rank, a.bits).string(a.bits);
        self.library_access(site, name, AccessKind::Load, a.bits, text.len() as u64 + 1);
        let digits: String = String::from_utf8_lossy(&text)
            .trim()
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '-')
            .collect();
        match digits.parse::<i64>() {
            Ok(value) if a.symbol == 0 => Flow::Return(Scalar::known(value as u64)),
            _ => Flow::Return(Scalar {
                bits: 4,
                symbol: source((name, site.place)),
            }),
        }
    }
}

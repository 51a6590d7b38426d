//! What the C library does, as far as it matters here.

use super::{Followed, Machine, Stop};
use crate::tables::{ObjectKind, Tables};
use crate::value::Value;
use farside_lint::ir::PlaceId;

/// Calls that communicate nothing and write nothing that the program reads. What they give is not known; what some of
/// them read is said beside [`Machine::reads`].
const WITHOUT_EFFECT: &[&str] = &[
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "vprintf",
    "vfprintf",
    "fputs",
    "fwrite",
    "write",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "free",
    "_ZdlPv",
    "_ZdlPvm",
    "_ZdaPv",
    "_ZdaPvm",
    "putenv",
    "setlocale",
    "usleep",
    "sleep",
    "sched_yield",
    "srand",
    "rand",
    "random",
    "srandom",
    "drand48",
    "srand48",
    "time",
    "clock",
    "getpid",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "__isoc23_strtol",
    "__isoc23_strtoul",
    "getenv",
    "strlen",
    "strcmp",
    "strncmp",
    "sqrt",
    "fabs",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "pow",
    "floor",
    "ceil",
    "fmax",
    "fmin",
    "sqrtf",
    "fabsf",
    "expf",
    "logf",
    "powf",
    "omp_get_wtime",
];

/// How the names begin of functions that write to a stream of C++ (`operator<<`, `flush`, `endl`), and of those that
/// make the standard ones.
const WRITES: &[&str] = &[
    "_ZStls",
    "_ZNSo",
    "_ZSt16__ostream_insert",
    "_ZSt4endl",
    "_ZSt5flush",
    "_ZNSt8ios_base4Init",
];

/// Calls that do not return.
const LAST: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "__assert_fail",
    "_ZSt17__throw_bad_allocv",
    "_ZSt20__throw_length_errorPKc",
];

impl Machine<'_> {
    /// What a function gives; the outer `None` if it is not known here.
    pub(super) fn library(
        &mut self,
        name: &str,
        values: &[Value],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Option<Value>>> {
        let register = result.unwrap_or(u32::MAX);
        if LAST.contains(&name) {
            return Err(Stop::End);
        }
        if self.writes_texts(name, values, place)? {
            return Ok(Some(values.first().cloned()));
        }
        if let Some(value) = self.of_texts(name, values, place)? {
            return Ok(Some(Some(value)));
        }
        let writes = WRITES.iter().any(|start| name.starts_with(start));
        if WITHOUT_EFFECT.contains(&name) || writes || name.starts_with("llvm.f") {
            self.reads(name, values, place)?;
            return Ok(Some(Some(self.unknown(place, &format!("what {name} gives")))));
        }
        let done = Ok(Some(None));
        match (name, values) {
            // `operator new`, which also gives memory for nothing.
            ("malloc" | "_Znwm" | "_Znam", [size]) => Ok(Some(Some(self.allocate(size, register, place)?))),
            ("calloc", [count, size]) => {
                let bytes = self.count(count, place)?.saturating_mul(self.count(size, place)?);
                let address = self.allocate(&Value::Known(bytes), register, place)?;
                self.fill(&address, &Value::Known(0), bytes, place)?;
                Ok(Some(Some(address)))
            }
            ("memset", [to, byte, size, ..]) => {
                let size = self.count(size, place)?;
                self.fill(to, byte, size, place)?;
                Ok(Some(Some(to.clone())))
            }
            ("memcpy" | "memmove", [to, from, size, ..]) => {
                let size = self.count(size, place)?;
                self.copy(to, from, size, place)?;
                Ok(Some(Some(to.clone())))
            }
            ("sprintf" | "snprintf", [to, size, ..]) => {
                self.reads(name, values, place)?;
                let most = match name {
                    "snprintf" => self.count(size, place)?,
                    _ => u64::MAX,
                };
                self.writes_unknown_text(to, most, place)?;
                Ok(Some(Some(self.unknown(place, &format!("what {name} gives")))))
            }
            ("abs", [Value::Known(value)]) => Ok(Some(Some(Value::Known(u64::from(
                (*value as u32 as i32).unsigned_abs(),
            ))))),
            (_, [to, byte, size, ..]) if name.starts_with("llvm.memset") => {
                let size = self.count(size, place)?;
                self.fill(to, byte, size, place)?;
                done
            }
            (_, [to, from, size, ..])
                if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") =>
            {
                let size = self.count(size, place)?;
                self.copy(to, from, size, place)?;
                done
            }
            _ if [
                "llvm.lifetime",
                "llvm.dbg",
                "llvm.assume",
                "llvm.stack",
                "llvm.va",
            ]
            .iter()
            .any(|start| name.starts_with(start)) =>
            {
                let unknown = self.unknown(place, &format!("what {name} gives"));
                Ok(Some(Some(unknown)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn allocate(&mut self, size: &Value, register: u32, place: PlaceId) -> Followed<Value> {
        let size = self.count(size, place)?;
        let path = self.path();
        let count = self.state.next_allocated(path, register);
        let object = self
            .tables
            .object(ObjectKind::Heap(path, register, count), size, "memory");
        Ok(Value::Known(Tables::address(object, 0)))
    }
}

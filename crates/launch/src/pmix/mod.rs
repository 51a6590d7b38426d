//! PMIx (<https://pmix.github.io>, standard 4.1): Open MPI's mpirun, prterun, srun --mpi=pmix. The library is loaded
//! when it is needed, so that no build needs it.
//!
//! Limits: a lost rank is not told; these launchers end the job.

mod abi;

pub use abi::LIBRARY;

use crate::error::Error;
use crate::name;
use abi::{
    BOOL, BYTE_OBJECT, Bytes, COLLECT, Data, Functions, GLOBAL, Info, JOB_SIZE, Proc, Taken, Value, WILDCARD,
};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error as FabricError, Rank, Result};
use std::ffi::{CStr, CString};

/// A process under a launcher that speaks PMIx.
pub(crate) struct Pmix {
    functions: Functions,
    me: Proc,
    size: u32,
    job: String,
}

impl Pmix {
    /// Loads the library and joins.
    pub(crate) fn join(namespace: &str, rank: Rank) -> std::result::Result<Self, Error> {
        let functions = Functions::load()?;
        let mut me = Proc {
            namespace: [0; 256],
            rank: 0,
        };
        // SAFETY: `me` is a `pmix_proc_t` to be filled in; no information is given.
        let code = unsafe { (functions.init)(&raw mut me, std::ptr::null_mut(), 0) };
        functions.check("PMIx_Init", code).map_err(|error| Error::NoWay {
            found: format!("PMIX_NAMESPACE={namespace} and PMIX_RANK={rank} are set"),
            problem: format!("the launcher does not answer: {error}"),
            advice: "start the program itself with the launcher, and not from a process of another job",
        })?;
        let mut process = Self {
            functions,
            me,
            size: 0,
            job: String::new(),
        };
        process.size = process.ask_size()?;
        if process.me.rank >= process.size {
            return Err(Error::Variable {
                variable: "PMIX_RANK",
                value: process.me.rank.to_string(),
                problem: format!("the job has {} ranks", process.size),
            });
        }
        // What a launcher calls its job is unique on one machine at the most.
        if process.me.rank == 0 {
            let token =
                name::token().map_err(|error| FabricError::Bootstrap(format!("getrandom: {error}")))?;
            process.publish("farside-job", token.as_bytes())?;
        }
        process.fence()?;
        let token = process.lookup(0, "farside-job")?;
        process.job = format!("pmix-{}", name::plain(&String::from_utf8_lossy(&token)));
        Ok(process)
    }

    fn ask_size(&self) -> Result<u32> {
        match self.get(WILDCARD, JOB_SIZE)? {
            Taken::Number(size) => Ok(size),
            Taken::Bytes(_) => Err(malformed("bytes for the number of ranks")),
            Taken::Other(kind) => Err(malformed(&format!(
                "a value of type {kind} for the number of ranks"
            ))),
        }
    }

    fn get(&self, rank: u32, key: &CStr) -> Result<Taken> {
        let whose = Proc {
            rank,
            ..self.me.clone()
        };
        let mut value: *mut Value = std::ptr::null_mut();
        // SAFETY: a process, a C string, no information, and a place for the pointer.
        let code = unsafe {
            (self.functions.get)(
                &raw const whose,
                key.as_ptr(),
                std::ptr::null(),
                0,
                &raw mut value,
            )
        };
        self.functions.check("PMIx_Get", code)?;
        if value.is_null() {
            return Err(malformed("success without a value"));
        }
        // SAFETY: PMIx_Get has succeeded, and nobody else has the pointer.
        Ok(unsafe { abi::take(value) })
    }
}

fn malformed(detail: &str) -> FabricError {
    FabricError::Malformed {
        what: "an answer of PMIx",
        detail: detail.to_owned(),
    }
}

/// The key of a name; keys may be 511 bytes.
fn key(name: &str) -> Result<CString> {
    let key = CString::new(format!("farside.{name}")).map_err(|_| malformed("a name with a zero byte"))?;
    match key.as_bytes().len() {
        0..=511 => Ok(key),
        bytes => Err(FabricError::TooLong { bytes, limit: 511 }),
    }
}

impl Bootstrap for Pmix {
    fn rank(&self) -> Rank {
        self.me.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let key = key(name)?;
        let mut value = Value {
            kind: BYTE_OBJECT,
            data: Data {
                bytes: Bytes {
                    bytes: bytes.as_ptr().cast_mut().cast(),
                    size: bytes.len(),
                },
            },
        };
        // SAFETY: a C string of at most 511 bytes, and a value whose bytes live during the call; PMIx copies and does
        // not write them (PMIx_Put: "the value may be released").
        let code = unsafe { (self.functions.put)(GLOBAL, key.as_ptr(), &raw mut value) };
        self.functions.check("PMIx_Put", code)?;
        // SAFETY: no arguments; PMIx is initialized.
        let code = unsafe { (self.functions.commit)() };
        self.functions.check("PMIx_Commit", code)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        if rank >= self.size {
            return Err(FabricError::RankOutOfRange {
                rank,
                size: self.size,
            });
        }
        match self.get(rank, &key(name)?)? {
            Taken::Bytes(bytes) => Ok(bytes),
            Taken::Number(_) | Taken::Other(_) => {
                Err(malformed("something that is no bytes for a published value"))
            }
        }
    }

    fn fence(&self) -> Result<()> {
        let everybody = Proc {
            rank: WILDCARD,
            ..self.me.clone()
        };
        let mut flag = Data::EMPTY;
        flag.flag = true;
        let info = Info {
            key: abi::array(COLLECT).ok_or_else(|| malformed("a key that is too long"))?,
            flags: 0,
            value: Value {
                kind: BOOL,
                data: flag,
            },
        };
        // SAFETY: one process and one piece of information, both valid during the call.
        let code = unsafe { (self.functions.fence)(&raw const everybody, 1, &raw const info, 1) };
        self.functions.check("PMIx_Fence", code)
    }

    fn finish(&self) -> Result<()> {
        // SAFETY: PMIx is initialized; no information is given.
        let code = unsafe { (self.functions.finalize)(std::ptr::null(), 0) };
        self.functions.check("PMIx_Finalize", code)
    }

    fn lost(&self) -> Option<Rank> {
        None
    }
}

//! Operations of one rank on the memory of another, which does nothing.

use crate::{Bench, measure, show};
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fetch, Get, Result, Signal};
use std::hint::black_box;

pub(crate) fn operations(bench: &mut Bench) -> Result<()> {
    let value = [7_u8; 8];
    let origin = bench.buffer.as_mut_ptr();
    let figure = measure(200, 1000, || {
        bench.put(1, 4096, value.as_ptr(), 8, Signal::None)?;
        bench.flush(1)
    })?;
    show("put 8 B, flush", figure, 0);
    let get = Get {
        scope: bench.scope,
        origin,
        bytes: 8,
        remote: bench.remotes[1],
        displacement: 4096,
    };
    let figure = measure(200, 1000, || {
        // SAFETY: the buffer is long enough, and lives.
        unsafe { bench.fabric.get(black_box(&get))? };
        bench.flush(1)
    })?;
    show("get 8 B, flush", figure, 0);
    let mut found = [0_u8; 8];
    for (name, results) in [
        ("fetch_and_op i64 sum, flush", found.as_mut_ptr()),
        ("accumulate i64 sum, flush", std::ptr::null_mut()),
    ] {
        let fetch = Fetch {
            scope: bench.scope,
            operation: AtomicOperation::Sum,
            kind: AtomicKind::I64,
            count: 1,
            operands: value.as_ptr(),
            results,
            remote: bench.remotes[1],
            displacement: 4096,
        };
        let figure = measure(200, 1000, || {
            // SAFETY: the buffers are of one element, and live.
            unsafe { bench.fabric.fetch(black_box(&fetch))? };
            bench.flush(1)
        })?;
        show(name, figure, 0);
    }
    let swap = CompareSwap {
        scope: bench.scope,
        kind: AtomicKind::I64,
        expected: value.as_ptr(),
        replacement: value.as_ptr(),
        result: found.as_mut_ptr(),
        remote: bench.remotes[1],
        displacement: 4096,
    };
    let figure = measure(200, 1000, || {
        // SAFETY: the buffers are of one element, and live until the flush.
        unsafe { bench.fabric.compare_swap(black_box(&swap))? };
        bench.flush(1)
    })?;
    show("compare_and_swap i64, flush", figure, 0);
    let figure = measure(200, 100, || {
        for slot in 0..64 {
            bench.put(1, 4096 + slot * 8, value.as_ptr(), 8, Signal::None)?;
        }
        bench.flush(1)
    })?;
    show("64 puts of 8 B, flush", figure, 0);
    for bytes in [16, 64, 256, 4 << 10, 64 << 10, 1 << 20] {
        let figure = measure(200, ((64 << 20) / bytes as u32 / 20).min(1000), || {
            bench.put(1, 0, black_box(origin), bytes, Signal::None)?;
            bench.flush(1)
        })?;
        show(&format!("put {bytes} B, flush"), figure, bytes);
    }
    Ok(())
}

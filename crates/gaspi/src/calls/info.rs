//! Limits, the environment, time, errors, statistics (GASPI 17.1 §8.5, §12 to §14, and what GPI-2 adds).

use super::{Out, calls};
use crate::abi::{AtomicValue, Failure, Number, Rank, ReturnCode, Size, words};
use crate::job::job;
use crate::statistics::Statistics;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::Write;
use std::time::Duration;

/// `GASPI_NETWORK_SHARED_MEMORY`.
const SHARED_MEMORY: c_int = 100;
/// `GASPI_NETWORK_LIBFABRIC`.
const LIBFABRIC: c_int = 101;

/// The standard's release.
const VERSION: f32 = 17.1;

/// Of the clock that `gaspi_time_ticks` reads, which counts nanoseconds; in MHz.
const FREQUENCY: f32 = 1000.0;

fn clock() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes to `time`, and knows the clock.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    debug_assert_eq!(code, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

calls! {
    /// Most requests of a queue (§8.5).
    pgaspi_queue_size_max, gaspi_queue_size_max(number: Out<Number>) {
        number.give(job()?.config().queue_size_max)
    }

    /// Most queues (§8.5).
    pgaspi_queue_max, gaspi_queue_max(number: Out<Number>) {
        job()?;
        number.give(crate::abi::QUEUES as Number)
    }

    /// Most bytes of a request (§12).
    pgaspi_transfer_size_max, gaspi_transfer_size_max(size: Out<Size>) {
        size.give(job()?.config().transfer_size_max)
    }

    /// Fewest bytes of a request (GPI-2).
    pgaspi_transfer_size_min, gaspi_transfer_size_min(size: Out<Size>) {
        job()?;
        size.give(1)
    }

    /// Most bytes of a passive message (§9.3).
    pgaspi_passive_transfer_size_max, gaspi_passive_transfer_size_max(size: Out<Size>) {
        size.give(job()?.config().passive_transfer_size_max)
    }

    /// Fewest bytes of a passive message (GPI-2).
    pgaspi_passive_transfer_size_min, gaspi_passive_transfer_size_min(size: Out<Size>) {
        job()?;
        size.give(1)
    }

    /// Notifications of a segment (§12).
    pgaspi_notification_num, gaspi_notification_num(number: Out<Number>) {
        number.give(job()?.config().notification_num)
    }

    /// Most requests of a list (GPI-2).
    pgaspi_rw_list_elem_max, gaspi_rw_list_elem_max(number: Out<Number>) {
        number.give(job()?.config().rw_list_elem_max)
    }

    /// The greatest value of an atomic operation (§10.3).
    pgaspi_atomic_max, gaspi_atomic_max(value: Out<AtomicValue>) {
        job()?;
        value.give(AtomicValue::MAX)
    }

    /// Most bytes of an allreduce (§11.5).
    pgaspi_allreduce_buf_size, gaspi_allreduce_buf_size(size: Out<Size>) {
        size.give(job()?.config().allreduce_buf_size)
    }

    /// Most elements of an allreduce (§11.5).
    pgaspi_allreduce_elem_max, gaspi_allreduce_elem_max(number: Out<Number>) {
        number.give(job()?.config().allreduce_elem_max)
    }

    /// Over what the ranks communicate (§12).
    pgaspi_network_type, gaspi_network_type(network: Out<c_int>) {
        let mapped = job()?.net().fabric().capabilities().mapped;
        network.give(if mapped { SHARED_MEMORY } else { LIBFABRIC })
    }

    /// Whether communication is prepared at the start (§12): it is.
    pgaspi_build_infrastructure, gaspi_build_infrastructure(build: Out<Number>) {
        build.give(job()?.config().build_infrastructure as Number)
    }

    /// The release of the standard (§12).
    pgaspi_version, gaspi_version(version: Out<f32>) {
        version.give(VERSION)
    }

    /// Milliseconds since `gaspi_proc_init`, or those of the machine before it (§13).
    pgaspi_time_get, gaspi_time_get(time: Out<f32>) {
        let time_since = job().map_or_else(|_| clock(), |job| job.began().elapsed());
        time.give((time_since.as_secs_f64() * 1e3) as f32)
    }

    /// Nanoseconds of the machine (§13).
    pgaspi_time_ticks, gaspi_time_ticks(ticks: Out<u64>) {
        ticks.give(clock().as_nanos() as u64)
    }

    /// Ticks of a microsecond (GPI-2).
    pgaspi_cpu_frequency, gaspi_cpu_frequency(frequency: Out<f32>) {
        frequency.give(FREQUENCY)
    }

    /// The words for a return code (§13). They are not freed.
    pgaspi_print_error, gaspi_print_error(code: ReturnCode, message: Out<*const c_char>) {
        message.give(words(code).as_ptr())
    }

    /// Number of counters (§14).
    pgaspi_statistic_counter_max, gaspi_statistic_counter_max(number: Out<Number>) {
        number.give(Statistics::NUMBER)
    }

    /// What a counter counts, by its argument (§14): none has one.
    pgaspi_statistic_counter_info, gaspi_statistic_counter_info(
        counter: Number, argument: Out<c_int>, name: Out<*const c_char>, description: Out<*const c_char>,
        level: Out<Number>,
    ) {
        let (name_words, text) = Statistics::info(counter)?;
        argument.give(0)?;
        name.give(name_words.as_ptr())?;
        description.give(text.as_ptr())?;
        level.give(0)
    }

    /// How much is counted (§14): all, at any level.
    pgaspi_statistic_verbosity_level, gaspi_statistic_verbosity_level(level: Number) {
        job()?.statistics().set_verbosity(level);
        Ok(())
    }

    /// The value of a counter (§14).
    pgaspi_statistic_counter_get, gaspi_statistic_counter_get(counter: Number, _argument: Number, value: Out<u64>) {
        let job = job()?;
        value.check()?;
        value.give(job.statistics().get(counter)?)
    }

    /// Sets a counter to 0 (§14).
    pgaspi_statistic_counter_reset, gaspi_statistic_counter_reset(counter: Number) {
        job()?.statistics().reset(counter)
    }

    /// For tools that take its place (§14): nothing happens here.
    pgaspi_pcontrol, gaspi_pcontrol(_argument: *mut c_void) {
        job().map(drop)
    }

    /// Prints a text on the standard output, as one piece with the rank before it: what `gaspi_printf` of the header
    /// has made of its arguments.
    pgaspi_print, gaspi_print(text: *const c_char) {
        if text.is_null() {
            return Err(Failure::NULL_POINTER);
        }
        let job = job()?;
        // SAFETY: not NULL, and so a text that ends, as the caller promises.
        let text = unsafe { CStr::from_ptr(text) };
        let mut line = format!("[Rank {:4}]: ", job.net().rank()).into_bytes();
        line.extend_from_slice(text.to_bytes());
        let mut output = std::io::stdout().lock();
        let written = output.write_all(&line).and_then(|()| output.flush());
        written.map_err(|_| Failure::ERROR)
    }

    /// As [`pgaspi_print`], if this is that rank.
    pgaspi_print_to, gaspi_print_to(rank: Rank, text: *const c_char) {
        let job = job()?;
        if job.net().known(rank)? != job.net().rank() {
            return Ok(());
        }
        // SAFETY: by the caller.
        match unsafe { pgaspi_print(text) } {
            0 => Ok(()),
            _ => Err(Failure::ERROR),
        }
    }
}

/// The words for a return code (GPI-2).
#[unsafe(no_mangle)]
pub extern "C" fn pgaspi_error_str(code: ReturnCode) -> *const c_char {
    words(code).as_ptr()
}

/// The words for a return code (GPI-2).
#[unsafe(no_mangle)]
pub extern "C" fn gaspi_error_str(code: ReturnCode) -> *const c_char {
    pgaspi_error_str(code)
}

//! The C library, as far as it touches memory of the program or decides where control goes.
//!
//! What is not known is [`foreign`].

use super::{answered, foreign, options, strings, variadic};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::reach::Cause;
use crate::value::{Scalar, derived, source};
use farside_events::AccessKind;

/// A function of the C library, or any other one.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, given: &[Scalar]) -> Flow {
    let [a, b, c] = [0, 1, 2].map(|index| given.get(index).copied().unwrap_or_default());
    // The intrinsics of LLVM carry their types in their names.
    let plain = name
        .strip_prefix("llvm.")
        .map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
    match plain {
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
            copy(
                caller,
                plain.trim_start_matches('_').trim_end_matches("_chk"),
                a.bits,
                b.bits,
                c.bits,
            );
            Flow::Return(a)
        }
        "memset" | "__memset_chk" => {
            fill(caller, "memset", a.bits, b, c.bits);
            Flow::Return(a)
        }
        "bzero" => {
            fill(caller, name, a.bits, Scalar::known(0), b.bits);
            NOTHING
        }
        "memcmp" | "bcmp" => strings::compare_bytes(caller, name, (a.bits, b.bits), c.bits),
        "malloc" | "valloc" | "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => {
            allocate(caller, (a.bits, a.is_known()), name)
        }
        "calloc" => {
            let is_settled = a.is_known() && b.is_known();
            allocate(caller, (a.bits.saturating_mul(b.bits), is_settled), name)
        }
        "aligned_alloc" | "memalign" | "_ZnwmSt11align_val_t" => {
            let size = if name.starts_with('_') { a } else { b };
            allocate(caller, (size.bits, size.is_known()), name)
        }
        "posix_memalign" => {
            let base = caller.allocate(c.bits, name);
            caller.memory_mut(a.bits).store(a.bits, 8, Scalar::known(base));
            NOTHING
        }
        "realloc" => {
            let old = caller
                .memory(a.bits)
                .object(a.bits)
                .map_or(0, |(_, object)| object.size);
            let base = caller.allocate(b.bits, name);
            copy(caller, name, base, a.bits, old.min(b.bits));
            caller.release(name, a.bits);
            Flow::Return(Scalar::known(base))
        }
        "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
            caller.release("free", a.bits);
            NOTHING
        }
        "strlen" => {
            let length = caller.memory(a.bits).string(a.bits).len() as u64;
            caller.library_access(name, AccessKind::Load, a.bits, length + 1);
            Flow::Return(match caller.memory(a.bits).is_forgotten(a.bits, length + 1) {
                true => Scalar::uncomputed(),
                false => Scalar::known(length),
            })
        }
        "strcpy" | "strncpy" | "strcat" | "stpcpy" | "__strcpy_chk" | "__strncpy_chk" => {
            let text = caller.memory(b.bits).string(b.bits);
            let limited = plain.contains("strn");
            let written = if limited { c.bits } else { text.len() as u64 + 1 };
            caller.library_access(
                name,
                AccessKind::Load,
                b.bits,
                (text.len() as u64 + 1).min(written),
            );
            let start = if name == "strcat" {
                a.bits + caller.memory(a.bits).string(a.bits).len() as u64
            } else {
                a.bits
            };
            caller.library_access(name, AccessKind::Store, start, written);
            let content = caller
                .memory(b.bits)
                .content(b.bits, (text.len() as u64).min(written));
            let mut bytes = text;
            bytes.resize(written.min(1 << 20) as usize, 0);
            caller.memory_mut(start).write(start, &bytes);
            // With what is known of it.
            caller.memory_mut(start).put_content(start, &content);
            Flow::Return(match name {
                "stpcpy" => Scalar::known(start + written - 1),
                _ => a,
            })
        }
        "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" => {
            strings::compare(caller, name, (a.bits, b.bits), c.bits)
        }
        "strchr" | "strrchr" | "strstr" | "strpbrk" | "strspn" | "strcspn" | "strtok_r" | "strtok"
            if strings::are_known(caller, plain, given) =>
        {
            strings::search(caller, plain, given)
        }
        "memchr" | "memrchr" | "rawmemchr" => strings::find_byte(caller, plain, [a, b, c]),
        "strdup" | "strndup" => {
            let most = if plain == "strdup" { u64::MAX } else { b.bits };
            let size = (caller.memory(a.bits).string(a.bits).len() as u64).min(most);
            let block = caller.allocate(size + 1, name);
            copy(caller, name, block, a.bits, size);
            caller.memory_mut(block).write(block + size, &[0]);
            Flow::Return(Scalar::known(block))
        }
        "strnlen" => {
            let length = caller.memory(a.bits).string(a.bits).len() as u64;
            caller.library_access(name, AccessKind::Load, a.bits, (length + 1).min(b.bits));
            Flow::Return(Scalar::known(length.min(b.bits)))
        }
        "puts" | "fputs" | "perror" => {
            let length = caller.memory(a.bits).string(a.bits).len() as u64;
            caller.library_access(name, AccessKind::Load, a.bits, length + 1);
            NOTHING
        }
        "fwrite" | "write" => {
            let (at, size) = if name == "write" {
                (b.bits, c.bits)
            } else {
                (a.bits, b.bits.saturating_mul(c.bits))
            };
            caller.library_access(name, AccessKind::Load, at, size);
            Flow::Return(c)
        }
        "fread" | "read" => {
            let (at, size) = if name == "read" {
                (b.bits, c.bits)
            } else {
                (a.bits, b.bits.saturating_mul(c.bits))
            };
            caller.library_access(name, AccessKind::Store, at, size);
            let element = if name == "fread" { b.bits } else { 4 };
            caller.come_from_outside(at, size, element);
            Flow::Return(c)
        }
        // A line of a text that is not known; by its sample there is none.
        "fgets" => {
            caller.come_from_outside(a.bits, (b.signed32().max(1) - 1) as u64, 1);
            fresh(caller, name)
        }
        "frexp" | "modf" => {
            let number = a.double();
            let (first, second, size) = match plain {
                "frexp" => {
                    let (fraction, exponent) = libm::frexp(number);
                    (fraction, u64::from(exponent as u32), 4)
                }
                _ => {
                    let (fraction, whole) = libm::modf(number);
                    (fraction, whole.to_bits(), 8)
                }
            };
            let part = |bits: u64, nth: u8| Scalar {
                bits,
                symbol: derived((plain, nth), &[a]),
            };
            caller.library_access(name, AccessKind::Store, b.bits, size);
            caller.put(b.bits, size, part(second, 1));
            Flow::Return(part(first.to_bits(), 0))
        }
        "exit" | "_exit" | "_Exit" | "quick_exit" => {
            let status = a.is_known().then(|| a.signed32());
            // A program that gives up tells little of how it ends when it works.
            if a.bits != 0 || caller.process().is_initialized() && a.symbol != 0 {
                caller.give_up(name, status);
            } else {
                caller.stop(Cause::Call(name.into(), status));
            }
            caller.process_mut().finish();
            Flow::Ended
        }
        "abort" | "__assert_fail" | "_ZSt9terminatev" | "__cxa_throw" => {
            caller.give_up(name, None);
            Flow::Ended
        }
        "sleep" | "usleep" | "nanosleep" | "sched_yield" => Flow::Poll(Scalar::known(0)),
        "fflush" | "putchar" | "srand" | "srand48" | "srandom" | "fclose" | "setvbuf" | "atexit"
        | "__cxa_atexit" | "stackrestore" | "va_end" | "trap" | "signal" | "setlinebuf" | "setbuf" => NOTHING,
        "va_start" => {
            variadic::begin(caller, a.bits);
            NOTHING
        }
        "va_copy" => {
            let list = caller.memory(b.bits).content(b.bits, variadic::LIST);
            caller.memory_mut(a.bits).put_content(a.bits, &list);
            NOTHING
        }
        "expect" => Flow::Return(a),
        // What nobody optimises is no constant, and of no known size.
        "is" if name.starts_with("llvm.is.constant") => Flow::Return(Scalar::known(0)),
        "objectsize" if name.starts_with("llvm.") => {
            Flow::Return(Scalar::known(if b.bits & 1 == 1 { 0 } else { u64::MAX }))
        }
        "stacksave" => NOTHING,
        "__cxa_guard_acquire" => {
            let done = caller.memory(a.bits).load(a.bits, 1).bits;
            Flow::Return(Scalar::known(u64::from(done == 0)))
        }
        "__cxa_guard_release" => {
            caller.memory_mut(a.bits).store(a.bits, 1, Scalar::known(1));
            NOTHING
        }
        "fopen" | "fopen64" | "tmpfile" | "tmpfile64" | "fdopen" | "freopen" | "popen" | "opendir" => {
            let file = caller.allocate(256, name);
            Flow::Return(Scalar {
                bits: file,
                symbol: source((name, caller.place())),
            })
        }
        // An element that `qsort` moves (`qsort.ir`).
        "qsort.move" => {
            copy(caller, "qsort", a.bits, b.bits, c.bits);
            NOTHING
        }
        "getopt" | "getopt_long" | "getopt_long_only" if caller.process().has_known_arguments() => {
            caller.notes().look_at_input();
            options::note(caller, name, given);
            options::next(caller, name, given)
        }
        // Without arguments there are no options.
        "getopt" | "getopt_long" | "getopt_long_only" => {
            options::note(caller, name, given);
            let mut option = caller.outside_value(name);
            option.bits = u64::from(u32::MAX);
            Flow::Return(option)
        }
        "getenv" | "secure_getenv" => match known_variable(caller, a.bits) {
            Some(at) => Flow::Return(Scalar::known(at)),
            None => Flow::Return(Scalar {
                bits: 0,
                symbol: source(("getenv", caller.place())),
            }),
        },
        "rand" | "random" | "lrand48" | "time" | "clock" => fresh(caller, name),
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Flow::Return(Scalar::known(0)),
        // Where it would go on is not known.
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "setcontext" | "swapcontext" => {
            caller.unknown_call(name)
        }
        "mmap" | "mmap64" => allocate(caller, (b.bits, b.is_known()), name),
        _ => foreign::call(caller, name, given),
    }
}

/// Where the value of an environment variable lies that the user has set.
fn known_variable(caller: &mut Caller<'_>, name: u64) -> Option<u64> {
    let name = caller.memory(name).string(name);
    let name = String::from_utf8(name).ok()?;
    let value = caller.process().streams().inputs().variable(&name)?.to_owned();
    Some(answered::put_text(caller, value.as_bytes(), "getenv"))
}

fn fresh(caller: &mut Caller<'_>, name: &str) -> Flow {
    let value = caller.outside_value(name);
    Flow::Return(value)
}

/// New memory; whether the program says its size.
fn allocate(caller: &mut Caller<'_>, (size, is_settled): (u64, bool), name: &str) -> Flow {
    // A size that the outside world decides still needs room for what a small input would make of it.
    let base = caller.allocate(size.min(1 << 40), name);
    if is_settled {
        caller.memory_mut(base).settle(base);
    }
    Flow::Return(Scalar::known(base))
}

/// One byte in all of a range; if it is not known, none of the range is.
fn fill(caller: &mut Caller<'_>, name: &str, to: u64, byte: Scalar, size: u64) {
    caller.library_access(name, AccessKind::Store, to, size);
    caller.memory_mut(to).fill(to, byte.bits as u8, size);
    if !byte.is_known() {
        caller.memory_mut(to).forget(to, size);
    }
}

fn copy(caller: &mut Caller<'_>, name: &str, to: u64, from: u64, size: u64) {
    caller.library_access(name, AccessKind::Load, from, size);
    caller.library_access(name, AccessKind::Store, to, size);
    let content = caller.memory(from).content(from, size);
    caller.budget().spend_on_bytes(content.len());
    caller.memory_mut(to).put_content(to, &content);
}

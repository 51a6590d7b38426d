//! Files whose texts the user has given: `fopen` to `fclose`.
//!
//! Source: C17, 7.21. Limits: reading only; descriptors (`open`, `read`), `fgetpos`, wide characters and the streams of
//! C++ are not known here: what they read is unknown, as it is from any file that was not given.

use crate::caller::Caller;
use crate::flow::Flow;
use crate::process::Stream;
use crate::value::Scalar;
use farside_events::AccessKind;

/// `EOF`.
const END: u64 = u32::MAX as u64;

/// A call of standard input and output that concerns a known text; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, given: &[Scalar]) -> Option<Flow> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| given.get(index).copied().unwrap_or_default());
    let value = match name {
        "fopen" | "fopen64" => return open(caller, a.bits, b.bits),
        "fclose" => {
            let streams = caller.process_mut().streams_mut();
            return streams.close(a.bits).then(|| Flow::Return(Scalar::known(0)));
        }
        "fgets" => {
            let line = stream(caller, c.bits)?.take_line((b.signed32().max(1) - 1) as usize);
            match line.is_empty() {
                true => 0,
                false => put_text(caller, name, a.bits, line),
            }
        }
        // In glibc's headers, `getline` may be `__getdelim`; other ends than that of a line are not known here.
        "getline" | "__getdelim" | "getdelim" => {
            let file = match name {
                "getline" => c.bits,
                _ if c.bits == u64::from(b'\n') => d.bits,
                _ => return None,
            };
            let line = stream(caller, file)?.take_line(usize::MAX);
            get_line(caller, name, (a.bits, b.bits), line)
        }
        "fgetc" | "getc" | "_IO_getc" => letter(stream(caller, a.bits)?),
        "getchar" => {
            let input = standard_input(caller)?;
            letter(stream(caller, input)?)
        }
        "ungetc" => {
            let stream = stream(caller, b.bits)?;
            let back = stream.position() as i64 - 1;
            if stream.seek(back) { a.bits } else { END }
        }
        "fread" => {
            let size = b.bits.saturating_mul(c.bits).min(1 << 26);
            let bytes = stream(caller, d.bits)?.take(size as usize);
            caller.library_access(name, AccessKind::Store, a.bits, bytes.len() as u64);
            caller.memory_mut(a.bits).write(a.bits, &bytes);
            bytes.len() as u64 / b.bits.max(1)
        }
        "feof" => u64::from(stream(caller, a.bits)?.has_ended()),
        "ferror" | "clearerr" => {
            stream(caller, a.bits)?;
            0
        }
        "rewind" => u64::from(!stream(caller, a.bits)?.seek(0)),
        "fseek" | "fseeko" | "fseeko64" => {
            let stream = stream(caller, a.bits)?;
            let from = match c.bits {
                0 => 0,
                1 => stream.position() as i64,
                _ => stream.size() as i64,
            };
            match stream.seek(from.saturating_add(b.bits as i64)) {
                true => 0,
                false => END,
            }
        }
        "ftell" | "ftello" | "ftello64" => stream(caller, a.bits)?.position() as u64,
        _ => return None,
    };
    Some(Flow::Return(Scalar::known(value)))
}

/// The known text that a `FILE` stands for.
pub(super) fn stream<'c>(caller: &'c mut Caller<'_>, file: u64) -> Option<&'c mut Stream> {
    caller.process_mut().streams_mut().get(file)
}

/// The `FILE` of the standard input, if its text is known.
pub(super) fn standard_input(caller: &Caller<'_>) -> Option<u64> {
    caller.process().streams().standard()
}

fn open(caller: &mut Caller<'_>, name: u64, mode: u64) -> Option<Flow> {
    let for_reading = caller.memory(mode).string(mode).first() == Some(&b'r');
    let name = caller.memory(name).string(name);
    let name = String::from_utf8_lossy(&name);
    let text = caller.process().streams().inputs().file(&name).cloned();
    let text = text.filter(|_| for_reading)?;
    let file = caller.allocate(256, "fopen");
    caller.process_mut().streams_mut().open(file, text);
    Some(Flow::Return(Scalar::known(file)))
}

/// Stores a text and its end; where.
fn put_text(caller: &mut Caller<'_>, name: &str, at: u64, mut text: Vec<u8>) -> u64 {
    text.push(0);
    caller.library_access(name, AccessKind::Store, at, text.len() as u64);
    caller.memory_mut(at).write(at, &text);
    at
}

/// Stores a line where `getline` says, which may need a larger block; its length.
fn get_line(caller: &mut Caller<'_>, name: &str, (at, room): (u64, u64), line: Vec<u8>) -> u64 {
    if line.is_empty() {
        return u64::MAX;
    }
    let length = line.len() as u64;
    let mut block = caller.long_at(at);
    if block == 0 || caller.long_at(room) <= length {
        block = caller.allocate(length + 1, name);
        caller.put_long(at, block);
        caller.put_long(room, length + 1);
    }
    put_text(caller, name, block, line);
    length
}

fn letter(stream: &mut Stream) -> u64 {
    stream.take(1).first().map_or(END, |byte| u64::from(*byte))
}

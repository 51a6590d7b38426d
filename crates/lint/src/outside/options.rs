//! `getopt`, `getopt_long` and `getopt_long_only` over a command line that is known.
//!
//! Source: POSIX.1-2017, `getopt`; glibc's manual, §25.2. Options come before other arguments: what glibc moves to the
//! front stays where it is.

use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::Scalar;

/// What there is no option for, or no argument.
const UNKNOWN: u64 = b'?' as u64;
/// `getopt` returns -1.
const NO_MORE: u64 = u32::MAX as u64;
/// Size of `struct option`, and where its flag and its value are.
const ENTRY: u64 = 32;
/// Options that a table may have.
const MOST: u64 = 256;

/// Notes the options that the program knows.
pub(super) fn note(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) {
    let [_, _, letters, table, ..] = [0, 1, 2, 3, 4].map(|index| a.get(index).copied().unwrap_or_default());
    let letters = caller.memory(letters.bits).string(letters.bits);
    for (index, letter) in letters
        .iter()
        .enumerate()
        .filter(|(_, letter)| letter.is_ascii_alphanumeric())
    {
        let takes = letters.get(index + 1) == Some(&b':') && letters.get(index + 2) != Some(&b':');
        let option = format!("-{}", char::from(*letter));
        caller.notes().asked_mut().option(option, takes);
    }
    if name != "getopt" {
        for (entry, known) in entries(caller, table.bits) {
            let takes = caller.int_at(entry + 8) == 1;
            let option = format!("--{}", String::from_utf8_lossy(&known));
            caller.notes().asked_mut().option(option, takes);
        }
    }
}

/// The options of a table of `getopt_long`: where each lies, and its name.
fn entries(caller: &Caller<'_>, table: u64) -> Vec<(u64, Vec<u8>)> {
    let places = (0..MOST).map(|number| table + ENTRY * number);
    let named = places.map_while(|entry| {
        let at = caller.long_at(entry);
        (at != 0).then(|| (entry, caller.memory(at).string(at)))
    });
    named.collect()
}

/// The next option.
pub(super) fn next(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    let [count, list, letters, ..] = a else {
        return Flow::Return(Scalar::known(NO_MORE));
    };
    let long = (name != "getopt").then(|| (a.get(3).map_or(0, |a| a.bits), a.get(4).map_or(0, |a| a.bits)));
    let known = parse(caller, count.bits as u32 as u64, list.bits, letters.bits, long);
    Flow::Return(Scalar::known(known))
}

fn parse(caller: &mut Caller<'_>, count: u64, list: u64, letters: u64, long: Option<(u64, u64)>) -> u64 {
    let (own, inside) = caller.process().option();
    // A program that does not name `optind` does not set it.
    let at = match variable(caller, "optind") {
        Some(index) => caller.int_at(index).max(1) as u64,
        None => own,
    };
    let word = |caller: &Caller<'_>, at: u64| {
        let text = caller.long_at(list + 8 * at);
        (text, caller.memory(text).string(text))
    };
    if at >= count {
        return NO_MORE;
    }
    let (text, option) = word(caller, at);
    if option.first() != Some(&b'-') || option.len() < 2 {
        return NO_MORE;
    }
    if option == b"--" {
        step(caller, at + 1, 0);
        return NO_MORE;
    }
    if let (Some((table, found)), Some(name)) = (long, option.strip_prefix(b"--")) {
        return long_option(caller, (at, text, count, list), name, (table, found));
    }
    let letter = option[inside.max(1)];
    let letters = caller.memory(letters).string(letters);
    let rest = inside.max(1) + 1;
    let Some(place) = letters
        .iter()
        .position(|known| *known == letter && letter != b':')
    else {
        let ends = rest >= option.len();
        step(
            caller,
            if ends { at + 1 } else { at },
            if ends { 0 } else { rest },
        );
        return UNKNOWN;
    };
    if letters.get(place + 1) != Some(&b':') {
        let ends = rest >= option.len();
        step(
            caller,
            if ends { at + 1 } else { at },
            if ends { 0 } else { rest },
        );
    } else if rest < option.len() {
        argument(caller, text + rest as u64);
        step(caller, at + 1, 0);
    } else if letters.get(place + 2) == Some(&b':') {
        argument(caller, 0);
        step(caller, at + 1, 0);
    } else if at + 1 < count {
        let (text, _) = word(caller, at + 1);
        argument(caller, text);
        step(caller, at + 2, 0);
    } else {
        step(caller, at + 1, 0);
        return UNKNOWN;
    }
    u64::from(letter)
}

fn long_option(
    caller: &mut Caller<'_>,
    (at, text, count, list): (u64, u64, u64, u64),
    option: &[u8],
    (table, found): (u64, u64),
) -> u64 {
    let (name, value) = match option.iter().position(|byte| *byte == b'=') {
        Some(sign) => (&option[..sign], Some(text + 2 + sign as u64 + 1)),
        None => (option, None),
    };
    let mut names = entries(caller, table);
    // An abbreviation does, too.
    names.retain(|(_, known)| known.starts_with(name));
    let exact = names.iter().find(|(_, known)| known == name);
    let Some((entry, _)) = exact.or(names.first().filter(|_| names.len() == 1)) else {
        step(caller, at + 1, 0);
        return UNKNOWN;
    };
    let entry = *entry;
    let wanted = caller.int_at(entry + 8);
    let mut next = at + 1;
    match (wanted, value) {
        (0, _) => {}
        (_, Some(value)) => argument(caller, value),
        (1, None) if next < count => {
            let value = caller.long_at(list + 8 * next);
            argument(caller, value);
            next += 1;
        }
        (1, None) => {
            step(caller, next, 0);
            return UNKNOWN;
        }
        (_, None) => argument(caller, 0),
    }
    step(caller, next, 0);
    if found != 0 {
        caller.put_int(found, ((entry - table) / ENTRY) as i32);
    }
    let (flag, value) = (caller.long_at(entry + 16), caller.int_at(entry + 24));
    match flag {
        0 => u64::from(value as u32),
        flag => {
            caller.put_int(flag, value);
            0
        }
    }
}

/// Goes on with an argument, and a letter in it.
fn step(caller: &mut Caller<'_>, at: u64, letter: usize) {
    if let Some(index) = variable(caller, "optind") {
        caller.put_int(index, at as i32);
    }
    caller.process_mut().set_option((at, letter));
}

fn argument(caller: &mut Caller<'_>, text: u64) {
    if let Some(variable) = variable(caller, "optarg") {
        caller.put_long(variable, text);
    }
}

/// The address of a variable of the C library that the program declares.
fn variable(caller: &Caller<'_>, name: &str) -> Option<u64> {
    caller.globals().address(caller.module(), name)
}

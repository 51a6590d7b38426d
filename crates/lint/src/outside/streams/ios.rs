//! `std::ios_base` and `std::basic_ios`: how a stream writes, and how it went.
//!
//! Members lie where libstdc++ 12 has them, as the program's own code reads and writes some of them.

use super::result;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::process::Knowledge;
use crate::value::Scalar;

const PRECISION: u64 = 8;
const WIDTH: u64 = 16;
const FLAGS: u64 = 24;
const EXCEPTIONS: u64 = 28;
const FILL: u64 = 224;

/// `std::ios_base::fmtflags`.
pub(super) const BOOLALPHA: u32 = 1;
pub(super) const DEC: u32 = 1 << 1;
pub(super) const FIXED: u32 = 1 << 2;
pub(super) const HEX: u32 = 1 << 3;
pub(super) const INTERNAL: u32 = 1 << 4;
pub(super) const LEFT: u32 = 1 << 5;
pub(super) const OCT: u32 = 1 << 6;
const RIGHT: u32 = 1 << 7;
pub(super) const SCIENTIFIC: u32 = 1 << 8;
pub(super) const SHOWBASE: u32 = 1 << 9;
pub(super) const SHOWPOINT: u32 = 1 << 10;
pub(super) const SHOWPOS: u32 = 1 << 11;
pub(super) const SKIPWS: u32 = 1 << 12;
const UNITBUF: u32 = 1 << 13;
pub(super) const UPPERCASE: u32 = 1 << 14;
pub(super) const BASE: u32 = DEC | HEX | OCT;
const FLOAT: u32 = FIXED | SCIENTIFIC;
const ADJUST: u32 = LEFT | RIGHT | INTERNAL;

/// `std::ios_base::iostate`.
const BAD: u64 = 1;
const ENDED: u64 = 2;
const FAILED: u64 = 4;

/// Manipulators: the flags that are cleared, and those that are set.
const MANIPULATORS: [(&str, u32, u32); 23] = [
    ("St9boolalpha", 0, BOOLALPHA),
    ("St11noboolalpha", BOOLALPHA, 0),
    ("St8showbase", 0, SHOWBASE),
    ("St10noshowbase", SHOWBASE, 0),
    ("St9showpoint", 0, SHOWPOINT),
    ("St11noshowpoint", SHOWPOINT, 0),
    ("St7showpos", 0, SHOWPOS),
    ("St9noshowpos", SHOWPOS, 0),
    ("St6skipws", 0, SKIPWS),
    ("St8noskipws", SKIPWS, 0),
    ("St9uppercase", 0, UPPERCASE),
    ("St11nouppercase", UPPERCASE, 0),
    ("St7unitbuf", 0, UNITBUF),
    ("St9nounitbuf", UNITBUF, 0),
    ("St8internal", ADJUST, INTERNAL),
    ("St4left", ADJUST, LEFT),
    ("St5right", ADJUST, RIGHT),
    ("St3dec", BASE, DEC),
    ("St3hex", BASE, HEX),
    ("St3oct", BASE, OCT),
    ("St5fixed", FLOAT, FIXED),
    ("St10scientific", FLOAT, SCIENTIFIC),
    ("St12defaultfloat", FLOAT, 0),
];

/// How a stream writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    flags: u32,
    precision: i64,
    width: u64,
    fill: u8,
}

impl Style {
    pub(super) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// The flag of the base of whole numbers.
    pub(super) fn base(&self) -> u32 {
        self.flags & BASE
    }

    /// Digits of real numbers.
    pub(super) fn precision(&self) -> usize {
        usize::try_from(self.precision).unwrap_or(6).min(1 << 10)
    }

    /// The fewest characters that are written, or the most that are read; 0 if nothing is said.
    pub(super) fn width(&self) -> u64 {
        self.width
    }

    /// What stands for missing characters.
    pub(super) fn fill(&self) -> u8 {
        self.fill
    }
}

/// What the members of a stream are that begins.
pub(super) fn begin(caller: &mut Caller<'_>, ios: u64, flags: u64, precision: u64) {
    caller.put_long(ios, 0);
    caller.put_long(ios + PRECISION, precision);
    caller.put_long(ios + WIDTH, 0);
    caller.put(ios + FLAGS, 4, Scalar::known(flags));
    caller.put(ios + EXCEPTIONS, 4, Scalar::known(0));
    caller.put(ios + FILL, 1, Scalar::known(u64::from(b' ')));
}

/// How a stream writes, if all of that is known. The standard input is none of those that were begun here: it is as
/// they begin.
pub(super) fn style(caller: &mut Caller<'_>, stream: u64) -> Option<Style> {
    let this = caller.process_mut().streams_mut().stream(stream)?;
    let ios = this.ios();
    if ios == 0 {
        return Some(Style {
            flags: SKIPWS | DEC,
            precision: 6,
            width: 0,
            fill: b' ',
        });
    }
    let member = |offset: u64, size: u64| caller.memory(ios).load(ios + offset, size);
    let members = [
        member(FLAGS, 4),
        member(PRECISION, 8),
        member(WIDTH, 8),
        member(FILL, 1),
    ];
    let throws = member(EXCEPTIONS, 4);
    let [flags, precision, width, fill] = members;
    let is_known = members.iter().all(|member| member.is_known()) && throws == Scalar::known(0);
    is_known.then_some(Style {
        flags: flags.bits as u32,
        precision: precision.bits as i64,
        width: width.bits.min(1 << 12),
        fill: fill.bits as u8,
    })
}

/// After something was written, the width is 0.
pub(super) fn end_width(caller: &mut Caller<'_>, stream: u64) {
    set(caller, stream, WIDTH, 8, Scalar::known(0));
}

/// Sets a member of a stream.
fn set(caller: &mut Caller<'_>, stream: u64, member: u64, size: u64, value: Scalar) -> Option<()> {
    let ios = caller.process_mut().streams_mut().stream(stream)?.ios();
    if ios != 0 {
        caller.put(ios + member, size, value);
    }
    (ios != 0).then_some(())
}

/// Applies a manipulator that takes the stream's `std::ios_base`, by the name of its function.
pub(super) fn manipulate(caller: &mut Caller<'_>, stream: u64, function: &str) -> Option<()> {
    let plain = function.strip_prefix("_Z")?.strip_suffix("RSt8ios_base")?;
    let (_, cleared, added) = MANIPULATORS.iter().find(|(name, ..)| *name == plain)?;
    change_flags(caller, stream, *cleared, *added)
}

/// Applies what a function of `iomanip` made, by the name of its class.
pub(super) fn set_by_class(caller: &mut Caller<'_>, stream: u64, class: &str, value: Scalar) -> Option<()> {
    match class {
        "St5_Setw" => set(caller, stream, WIDTH, 8, signed(value)),
        "St13_Setprecision" => set(caller, stream, PRECISION, 8, signed(value)),
        "St8_SetfillIS3_E" => set(caller, stream, FILL, 1, value),
        "St12_Setiosflags" if value.is_known() => change_flags(caller, stream, 0, value.bits as u32),
        "St14_Resetiosflags" if value.is_known() => change_flags(caller, stream, value.bits as u32, 0),
        "St8_Setbase" if value.is_known() => {
            let flag = match value.signed32() {
                8 => OCT,
                10 => DEC,
                16 => HEX,
                _ => 0,
            };
            change_flags(caller, stream, BASE, flag)
        }
        _ => None,
    }
}

/// An `int` as a `std::streamsize`.
fn signed(value: Scalar) -> Scalar {
    Scalar {
        bits: i64::from(value.signed32()) as u64,
        ..value
    }
}

fn change_flags(caller: &mut Caller<'_>, stream: u64, cleared: u32, added: u32) -> Option<()> {
    let ios = caller.process_mut().streams_mut().stream(stream)?.ios();
    let flags = caller.memory(ios).load(ios + FLAGS, 4);
    let bits = u64::from((flags.bits as u32) & !cleared | added);
    set(caller, stream, FLAGS, 4, Scalar { bits, ..flags })
}

/// The name of a member of `std::basic_ios` after that of its class.
pub(super) fn member(plain: &str) -> Option<&str> {
    let rest = plain.strip_prefix("NK").or_else(|| plain.strip_prefix('N'))?;
    rest.strip_prefix("St9basic_iosIcSt11char_traitsIcEE")
}

/// Asks how it went, or changes that.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, member: &str, (stream, a): (u64, &[Scalar])) -> Flow {
    let given = a.get(1).copied().unwrap_or_default();
    // Characters of the locale "C" are themselves.
    if matches!(member, "5widenEc" | "6narrowEcc") {
        return Flow::Return(given);
    }
    let this = caller.process_mut().streams_mut().stream(stream);
    let Some(knowledge) = this.as_ref().map(|this| this.knowledge()) else {
        let value = result(caller, name, Knowledge::Outside);
        return Flow::Return(value);
    };
    let this = this.expect("a stream");
    let (failed, ended) = (this.has_failed(), this.has_ended());
    let asked = match member {
        "ntEv" | "4failEv" => u64::from(failed),
        "cvbEv" => u64::from(!failed),
        "3eofEv" => u64::from(ended),
        "4goodEv" => u64::from(!failed && !ended),
        "3badEv" => 0,
        "7rdstateEv" => {
            let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
            bit(ended, ENDED) | bit(failed, FAILED)
        }
        "5clearESt12_Ios_Iostate" | "8setstateESt12_Ios_Iostate" => {
            let adds = member.starts_with('8');
            let is_set = |bit: u64, was: bool| given.bits & bit != 0 || adds && was;
            this.set_state(is_set(ENDED, ended), is_set(FAILED | BAD, failed));
            if !given.is_known() {
                this.know_less(Knowledge::Lost);
            }
            return NOTHING;
        }
        "4fillEc" => {
            let ios = this.ios();
            let before = caller.memory(ios).load(ios + FILL, 1);
            return match set(caller, stream, FILL, 1, given) {
                Some(()) => Flow::Return(before),
                None => Flow::Return(result(caller, name, Knowledge::Outside)),
            };
        }
        "4fillEv" => {
            let ios = this.ios();
            return Flow::Return(caller.memory(ios).load(ios + FILL, 1));
        }
        _ => {
            // Locales, exceptions and the like are not followed.
            let less = if knowledge == Knowledge::Outside {
                knowledge
            } else {
                Knowledge::Lost
            };
            this.know_less(less);
            let value = result(caller, name, less);
            return Flow::Return(value);
        }
    };
    let value = match knowledge {
        Knowledge::Known => Scalar::known(asked),
        knowledge => result(caller, name, knowledge),
    };
    Flow::Return(value)
}

//! Objects of the classes of streams: how they begin, what they are over, how they end.

use super::string::{begin, content};
use super::{own_address, result};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::layout::OF_LIBRARY;
use crate::process::Knowledge;
use crate::value::Scalar;

/// A class of streams: its name after `_ZN`, where its `std::basic_ostream` lies if that is not its first part, and
/// where its `std::basic_ios` lies.
pub(super) struct Kind {
    name: &'static str,
    output: Option<u64>,
    ios: u64,
    /// Whether it is over a file.
    file: bool,
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "St7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE",
        output: None,
        ios: 120,
        file: false,
    },
    Kind {
        name: "St7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE",
        output: None,
        ios: 112,
        file: false,
    },
    Kind {
        name: "St7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE",
        output: Some(16),
        ios: 128,
        file: false,
    },
    Kind {
        name: "St14basic_ifstreamIcSt11char_traitsIcEE",
        output: None,
        ios: 256,
        file: true,
    },
    Kind {
        name: "St14basic_ofstreamIcSt11char_traitsIcEE",
        output: None,
        ios: 248,
        file: true,
    },
    Kind {
        name: "St13basic_fstreamIcSt11char_traitsIcEE",
        output: Some(16),
        ios: 264,
        file: true,
    },
];

/// `std::ios_base::openmode`: written at the end.
const AT_END: u64 = 3;
/// What a stream begins with: `skipws | dec`, six digits, spaces.
const FLAGS: u64 = 0x1002;
const PRECISION: u64 = 6;

/// The class of a member function, and what its name says after that.
pub(super) fn member(plain: &str) -> Option<(&'static Kind, &str)> {
    // Of an object that is constant, or (from C++20 on) named or not.
    let begins = ["NKR", "NK", "NO", "NR", "N"];
    let rest = begins.iter().find_map(|begin| plain.strip_prefix(begin))?;
    KINDS
        .iter()
        .find_map(|kind| Some((kind, rest.strip_prefix(kind.name)?)))
}

/// Calls a member function of a class.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, (kind, rest): (&Kind, &str), a: &[Scalar]) -> Flow {
    let [first, second, third] = [0, 1, 2].map(|index| a.get(index).map_or(0, |value| value.bits));
    if rest == "3strEv" {
        // The result comes first.
        let at = own_address(caller, second);
        let stream = caller.process_mut().streams_mut().stream(at);
        let (text, knowledge) = match stream {
            Some(stream) => (stream.text().to_vec(), stream.knowledge()),
            None => (Vec::new(), Knowledge::Lost),
        };
        begin(caller, name, first, &text, knowledge);
        return NOTHING;
    }
    let stream = first;
    let nothing = (Vec::new(), Knowledge::Known);
    if let Some(form) = rest.strip_prefix('C') {
        let (text, knowledge) = match form {
            "1Ev" | "1ESt13_Ios_Openmode" if !kind.file => nothing,
            "1Ev" => (Vec::new(), Knowledge::Outside),
            by if by.starts_with("1ERKNS_12basic_string") => content(caller, second),
            by if kind.file
                && (by.starts_with("1EPKc") || by.starts_with("1ERKNSt7__cxx1112basic_string")) =>
            {
                file(caller, kind, by.starts_with("1EPKc"), second)
            }
            _ => (Vec::new(), Knowledge::Lost),
        };
        let at_end = match form {
            "1ESt13_Ios_Openmode" => second & AT_END != 0,
            _ => third & AT_END != 0 && rest.contains("St13_Ios_Openmode"),
        };
        construct(caller, kind, stream, form.starts_with('2'));
        set_text(caller, stream, text, knowledge, at_end);
        return NOTHING;
    }
    match rest {
        "D0Ev" | "D1Ev" | "D2Ev" => {
            caller.process_mut().streams_mut().close(stream);
            NOTHING
        }
        _ if rest.starts_with("3strERKNS_12basic_string") => {
            let (text, knowledge) = content(caller, second);
            set_text(caller, stream, text, knowledge, false);
            NOTHING
        }
        _ if rest.starts_with("4openE") && kind.file => {
            let (text, knowledge) = file(caller, kind, rest.starts_with("4openEPKc"), second);
            set_text(caller, stream, text, knowledge, false);
            NOTHING
        }
        "5closeEv" => {
            set_text(caller, stream, Vec::new(), Knowledge::Outside, false);
            NOTHING
        }
        "7is_openEv" => {
            let knowledge = caller.process_mut().streams_mut().stream(stream);
            let value = match knowledge.map(|stream| stream.knowledge()) {
                Some(Knowledge::Known) => Scalar::known(1),
                Some(knowledge) => result(caller, name, knowledge),
                None => result(caller, name, Knowledge::Outside),
            };
            Flow::Return(value)
        }
        _ => {
            // What is moved, exchanged or handed out is not followed.
            let less = if kind.file {
                Knowledge::Outside
            } else {
                Knowledge::Lost
            };
            for part in [first, second] {
                super::know_less(caller, part, less);
            }
            let value = match rest.contains("aSE") {
                true => a[0],
                false => result(caller, name, less),
            };
            Flow::Return(value)
        }
    }
}

/// A file by its name, and what is known of it.
fn file(caller: &Caller<'_>, kind: &Kind, is_plain: bool, path: u64) -> (Vec<u8>, Knowledge) {
    let path = match is_plain {
        true => Some(caller.memory(path).string(path)),
        false => super::text_of(caller, path),
    };
    let path = path.map(|path| String::from_utf8_lossy(&path).into_owned());
    let inputs = caller.process().streams().inputs();
    // Only those that are opened for reading are as they were given.
    let reads = kind.name.contains("basic_ifstream");
    let text = path
        .filter(|_| reads)
        .and_then(|path| inputs.file(&path).cloned());
    match text {
        Some(text) => (text.to_vec(), Knowledge::Known),
        None => (Vec::new(), Knowledge::Outside),
    }
}

fn set_text(caller: &mut Caller<'_>, stream: u64, text: Vec<u8>, knowledge: Knowledge, at_end: bool) {
    if let Some(stream) = caller.process_mut().streams_mut().stream(stream) {
        stream.set_text(text, knowledge, at_end);
        stream.set_state(false, false);
    }
}

/// A stream begins. A base of another object has the tables of that object.
fn construct(caller: &mut Caller<'_>, kind: &Kind, stream: u64, is_base: bool) {
    let ios = stream + kind.ios;
    let streams = caller.process_mut().streams_mut();
    streams.open_stream((stream, ios), [].into(), Knowledge::Known);
    streams.add_part(ios, stream);
    for part in [Some(0), kind.output].into_iter().flatten() {
        caller.process_mut().streams_mut().add_part(stream + part, stream);
        if !is_base {
            let table = caller.allocate(64, "_ZTV");
            caller.put_long(table, kind.ios - part);
            caller.put_long(table + 8, part.wrapping_neg());
            for entry in 3..8 {
                caller.put_long(table + 8 * entry, OF_LIBRARY);
            }
            caller.put_long(stream + part, table + 24);
        }
    }
    if kind.file
        && let Some(stream) = caller.process_mut().streams_mut().stream(stream)
    {
        stream.discard();
    }
    super::ios::begin(caller, ios, FLAGS, PRECISION);
}

//! Which hosts, and how many ranks on each.

use std::collections::HashSet;
use std::ops::Range;

/// A host, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    /// Ranks that it takes; `None`: its share of what the others leave.
    slots: Option<u32>,
}

/// The hosts of a job, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<Entry>);

/// A host with its ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    name: String,
    /// At least one.
    ranks: Range<u32>,
}

impl Placed {
    /// As the user names it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its ranks.
    pub(crate) fn ranks(&self) -> Range<u32> {
        self.ranks.clone()
    }
}

impl Hosts {
    /// From `a,b:4,[::1]:2`: names, some with a number of ranks. A host that is named several times has as many.
    ///
    /// # Errors
    /// This is no such list; the message says why.
    pub fn list(text: &str) -> Result<Self, String> {
        let entries = text.split(',').map(|word| entry(word.trim()));
        Self::of(entries.collect::<Result<Vec<_>, _>>()?)
    }

    /// From the lines of a host file: `host`, `host:N`, `host slots=N`; `#` begins a comment. Batch systems name a host
    /// once for each of its slots.
    ///
    /// # Errors
    /// This is no such text; the message names the line.
    pub fn lines(text: &str) -> Result<Self, String> {
        let mut entries = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                entries.push(of_line(line).map_err(|why| format!("line {number}: {why}"))?);
            }
        }
        Self::of(entries)
    }

    fn of(entries: Vec<Entry>) -> Result<Self, String> {
        let names: HashSet<_> = entries.iter().map(|entry| &entry.name).collect();
        if names.is_empty() {
            return Err("no host is named".to_owned());
        }
        if names.len() == entries.len() {
            return Ok(Self(entries));
        }
        let mut joined: Vec<Entry> = Vec::new();
        for entry in &entries {
            let more = entry.slots.unwrap_or(1);
            match joined.iter_mut().find(|known| known.name == entry.name) {
                Some(known) => known.slots = known.slots.map(|slots| slots.saturating_add(more)),
                None => joined.push(Entry {
                    name: entry.name.clone(),
                    slots: Some(more),
                }),
            }
        }
        Ok(Self(joined))
    }

    /// Ranks in blocks, in the order of the hosts; hosts without ranks are left out.
    pub(crate) fn place(&self, ranks: u32) -> Result<Vec<Placed>, String> {
        let fixed: u32 = self
            .0
            .iter()
            .filter_map(|entry| entry.slots)
            .fold(0, u32::saturating_add);
        let open = self.0.iter().filter(|entry| entry.slots.is_none()).count() as u32;
        if open == 0 && fixed < ranks {
            return Err(format!(
                "{ranks} ranks do not fit on hosts with {fixed} slots; write HOST:N for more, or HOST for its share"
            ));
        }
        let mut rest = ranks.saturating_sub(fixed);
        let mut sharing = open;
        let mut first = 0;
        let mut placed = Vec::new();
        for entry in &self.0 {
            let share = match entry.slots {
                Some(slots) => slots,
                None => {
                    let share = rest.div_ceil(sharing);
                    (rest, sharing) = (rest - share, sharing - 1);
                    share
                }
            };
            let here = share.min(ranks - first);
            if here > 0 {
                placed.push(Placed {
                    name: entry.name.clone(),
                    ranks: first..first + here,
                });
            }
            first += here;
        }
        Ok(placed)
    }
}

/// As [`Hosts::list`] reads it.
impl std::fmt::Display for Hosts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, entry) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            match (entry.slots, entry.name.contains(':')) {
                (None, _) => write!(out, "{comma}{}", entry.name)?,
                (Some(slots), false) => write!(out, "{comma}{}:{slots}", entry.name)?,
                (Some(slots), true) => write!(out, "{comma}[{}]:{slots}", entry.name)?,
            }
        }
        Ok(())
    }
}

fn entry(word: &str) -> Result<Entry, String> {
    // A colon more than one is an IPv6 address.
    let (name, slots) = match word.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, "")) => (name, None),
        Some((name, rest)) => (name, Some(rest.strip_prefix(':').unwrap_or(rest))),
        None => match word.split_once(':') {
            Some((name, slots)) if !slots.contains(':') => (name, Some(slots)),
            _ => (word, None),
        },
    };
    Ok(Entry {
        name: named(name)?,
        slots: slots.map(number).transpose()?,
    })
}

fn of_line(line: &str) -> Result<Entry, String> {
    let mut words = line.split_whitespace();
    let mut entry = entry(words.next().unwrap_or_default())?;
    for word in words {
        // What else a host file may say is not ours: max_slots, and the like.
        if let Some(slots) = word.strip_prefix("slots=") {
            entry.slots = Some(number(slots)?);
        }
    }
    Ok(entry)
}

/// A name that no remote shell takes for an option, or for a part of a command.
fn named(name: &str) -> Result<String, String> {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | '@' | ':' | '%');
    if name.is_empty() || name.starts_with('-') || !name.chars().all(good) {
        return Err(format!("{name:?} is no name of a host"));
    }
    Ok(name.to_owned())
}

fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|&slots| slots > 0)
        .ok_or_else(|| format!("{text:?} is no number of ranks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(hosts: &Hosts, ranks: u32) -> String {
        let words = hosts.place(ranks).expect("they fit").into_iter();
        let words = words.map(|p| format!("{}:{}+{}", p.name, p.ranks.start, p.ranks.len()));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ranks_are_placed_in_blocks() {
        for (list, ranks, expected) in [
            ("a,b", 4, "a:0+2 b:2+2"),
            ("a,b", 5, "a:0+3 b:3+2"),
            ("a,b", 1, "a:0+1"),
            ("a:1,b", 5, "a:0+1 b:1+4"),
            ("a,b:3,c", 7, "a:0+2 b:2+3 c:5+2"),
            ("a:4,b:4", 6, "a:0+4 b:4+2"),
            ("a,a,b", 3, "a:0+2 b:2+1"),
            ("fe80::1,[::1]:2,u@h.x:1", 4, "fe80::1:0+1 ::1:1+2 u@h.x:3+1"),
        ] {
            let hosts = Hosts::list(list).expect(list);
            assert_eq!(placed(&hosts, ranks), expected, "{list}");
            assert_eq!(Hosts::list(&hosts.to_string()), Ok(hosts), "{list}");
        }
        let full = Hosts::list("a:2,b:1")
            .expect("a list")
            .place(4)
            .expect_err("full");
        assert!(
            full.contains("4 ranks do not fit on hosts with 3 slots"),
            "{full}"
        );
    }

    #[test]
    fn files_of_both_mpis_and_of_batch_systems() {
        let text = "# mine\n\na slots=2 max_slots=9\nb:1 # here\nc\n";
        assert_eq!(
            placed(&Hosts::lines(text).expect("a file"), 4),
            "a:0+2 b:2+1 c:3+1"
        );
        let text = "a\na\nb\nb\n";
        assert_eq!(placed(&Hosts::lines(text).expect("a file"), 4), "a:0+2 b:2+2");
        assert!(
            Hosts::lines("a\nb:x")
                .expect_err("no number")
                .starts_with("line 2: ")
        );
        assert!(Hosts::lines("# nobody\n").is_err());
    }

    #[test]
    fn what_is_no_host() {
        for wrong in [
            "",
            "a,,b",
            "-oProxyCommand=x",
            "a b",
            "a;b",
            "a:0",
            "a:b",
            "[::1]2x",
            "$(x)",
        ] {
            assert!(Hosts::list(wrong).is_err(), "{wrong}");
        }
    }
}

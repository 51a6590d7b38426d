//! Strings of a program that wants to break the report, in every field that it can reach.

use crate::reports::{event, full, report};
use farside_findings::{
    Arrow, ByteRange, Coverage, Finding, Frame, Lane, MissingOrder, Party, Place, ReachedSite, Report,
    Shortfall, ShortfallKind, SimulationEnd, Suggestion, Timeline, UnreachedSite,
};

/// Markup, an escape sequence, line ends, a direction override, a C1 control, JSON syntax, a lone quote.
pub(crate) const STRING: &str = "</script></style><img src=x \
    onerror=alert(1)>\"'`&amp;\x1b]0;owned\x07\x1b[31m\r\n\t\0\u{9b}31m\
    \u{202e}gnp\u{2066}\u{200b}{\"a\":[1]}\\ {0} [link](http://evil.example) %00 --> ]]> éü漢";

/// A report in which every string is hostile; `string` goes everywhere.
pub(crate) fn hostile(string: &str) -> Report {
    let text = || string.to_owned();
    let place = || {
        Some(Place {
            file: text(),
            line: 1,
            column: Some(u32::MAX),
        })
    };
    let stack = || {
        vec![
            Frame {
                function: Some(text()),
                place: place(),
                module: Some(text()),
                address: u64::MAX,
                layer: false,
                shown: false,
            },
            Frame {
                function: None,
                place: None,
                module: Some(text()),
                address: 0,
                layer: false,
                shown: false,
            },
        ]
    };
    let party = |rank| Party {
        operation: text(),
        effect: text(),
        rank,
        host: None,
        thread: u32::MAX,
        strand: Some(u32::MAX),
        target: Some(u32::MAX),
        stack: stack(),
    };
    let shown = |order| {
        let mut shown = event(order, string, 1);
        (shown.place, shown.party, shown.open_until) = (place(), Some(order), Some(u32::MAX));
        shown
    };
    let template = full().findings.remove(0);
    let mut hostile = report(vec![]);
    hostile.findings = vec![Finding {
        id: text(),
        message: text(),
        parties: vec![party(0), party(u32::MAX)],
        window: Some(text()),
        created: None,
        bytes: Some(ByteRange {
            rank: 0,
            start: u64::MAX,
            end: 0,
            in_window: true,
            variable: Some(text()),
        }),
        missing: Some(MissingOrder {
            happens_before: true,
            consistency_order: true,
            explanation: text(),
        }),
        suggestion: Some(Suggestion {
            call: text(),
            position: text(),
            after: place(),
            before: place(),
            ..Suggestion::default()
        }),
        count: u64::MAX,
        ranks: farside_findings::Ranks::default(),
        timeline: Some(Timeline {
            lanes: vec![
                Lane {
                    rank: 0,
                    host: None,
                    events: vec![shown(0)],
                },
                Lane {
                    rank: u32::MAX,
                    host: None,
                    events: vec![shown(1)],
                },
            ],
            arrows: vec![
                Arrow {
                    from: (0, 0),
                    to: (u32::MAX, 1),
                    label: text(),
                },
                Arrow {
                    from: (9, 9),
                    to: (8, 8),
                    label: text(),
                },
            ],
        }),
        ..template
    }];
    hostile.tool = text();
    hostile.program.command = vec![text(), text()];
    hostile.program.library = text();
    hostile.program.ended = text();
    hostile.shortfalls = vec![Shortfall {
        id: ShortfallKind::SpoolFull,
        message: text(),
        ranks: vec![u32::MAX, 0],
    }];
    hostile.counts[0].name = text();
    hostile.coverage = Some(Coverage {
        sites: u64::MAX,
        unreached: vec![UnreachedSite {
            operation: text(),
            function: text(),
            place: place(),
            reason: text(),
        }],
        reached: vec![ReachedSite {
            place: place().unwrap_or_default(),
            operation: text(),
        }],
        ends: vec![SimulationEnd {
            what: text(),
            place: place(),
            condition: place(),
            from_outside: true,
            simulations: u64::MAX,
        }],
    });
    hostile
}

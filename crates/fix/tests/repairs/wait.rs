//! Waits that are given another notification. In the sources, `@1` stands before what posts it and `@2` before the
//! wait.

use super::repaired;
use farside_findings::{Action, Place, Proof, Suggestion};
use farside_fix::Refusal;

fn waiting(post: &str, wait: &str) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| Suggestion {
        action: Action::Replace,
        call: "gaspi_notify_waitsome(segment, 7, 1, &first, GASPI_BLOCK)".to_owned(),
        at: Some(places[1].clone()),
        after: Some(places[0].clone()),
        proof: Some(Proof::Verified),
        ..Suggestion::default()
    };
    repaired(
        "a.c",
        &text(&format!("@1{post}"), &format!("@2{wait}")),
        "gaspi_notify",
        &suggestion,
    )
}

fn text(post: &str, wait: &str) -> String {
    format!("f()\n{{\n    if (me == 0)\n        {post}\n    if (me == 1) {{\n        {wait}\n    }}\n}}\n")
}

#[test]
fn a_wait_is_for_another_notification() {
    let post = "gaspi_notify(s, 1, 7, 1, q, wait);";
    let wait = |begin: u32, count: u32, reset: &str| {
        format!("gaspi_notify_waitsome(s, {begin}, {count}, &id, wait);\n        {reset}")
    };
    let table = [
        // What was found is set back, whatever it is.
        (
            wait(3, 1, "gaspi_notify_reset(s, id, &old);"),
            wait(7, 1, "gaspi_notify_reset(s, id, &old);"),
        ),
        (
            wait(3, 1, "gaspi_notify_reset(s, 3, &old);"),
            wait(7, 1, "gaspi_notify_reset(s, 7, &old);"),
        ),
        (wait(0, 0, "use(x);"), wait(7, 1, "use(x);")),
        (wait(7, 2, "use(x);"), wait(7, 1, "use(x);")),
        // That of another wait stays.
        (
            wait(
                3,
                1,
                "gaspi_notify_waitsome(s, 4, 1, &id, wait);\n        gaspi_notify_reset(s, 4, &old);",
            ),
            wait(
                7,
                1,
                "gaspi_notify_waitsome(s, 4, 1, &id, wait);\n        gaspi_notify_reset(s, 4, &old);",
            ),
        ),
    ];
    for (given, wanted) in table {
        assert_eq!(waiting(post, &given), Ok(text(post, &wanted)));
    }
    // Numbers that have other values elsewhere, and what sets back something else.
    for given in [
        "gaspi_notify_waitsome(s, n, 1, &id, wait);".to_owned(),
        "gaspi_notify_waitsome(s, 3, n, &id, wait);".to_owned(),
        wait(3, 1, "gaspi_notify_reset(s, 4, &old);"),
        wait(3, 2, "gaspi_notify_reset(s, 3, &old);"),
    ] {
        let found = waiting(post, &given);
        assert!(matches!(found, Err(Refusal::NotWritten(..))), "{found:?}");
    }
    // The notification is of another segment.
    let found = waiting("gaspi_notify(t, 1, 7, 1, q, wait);", &wait(3, 1, ""));
    assert!(matches!(found, Err(Refusal::Placeholder(..))), "{found:?}");
}

#[test]
fn what_a_wait_finds_is_set_back() {
    let set_back = |wait: &str| {
        let suggestion = |places: &[Place; 2]| Suggestion {
            call: "gaspi_notify_reset(segment, first, &value)".to_owned(),
            after: Some(places[1].clone()),
            ..Suggestion::default()
        };
        let text = text("@1gaspi_notify(s, 1, 7, 1, q, wait);", &format!("@2{wait}"));
        repaired("a.c", &text, "gaspi_notify", &suggestion)
    };
    let wait = "gaspi_notify_waitsome(s, 7, 1, &id, GASPI_BLOCK);";
    let wanted = text(
        "gaspi_notify(s, 1, 7, 1, q, wait);",
        &format!(
            "{wait}\n        {{\n            gaspi_notification_t set_back;\n            \
             gaspi_notify_reset(s, id, &set_back);\n        }}"
        ),
    );
    assert_eq!(set_back(wait), Ok(wanted));
    // It may come back and have found none, or what it has found is known elsewhere.
    for wait in [
        "gaspi_notify_waitsome(s, 7, 1, &id, GASPI_TEST);",
        "gaspi_notify_waitsome(s, 7, 1, &id, 100);",
        "gaspi_notify_waitsome(s, 7, 1, ids, GASPI_BLOCK);",
    ] {
        assert!(matches!(set_back(wait), Err(Refusal::Placeholder(..))), "{wait}");
    }
    let tested = "if (gaspi_notify_waitsome(s, 7, 1, &id, wait) == GASPI_SUCCESS) use(x);";
    assert!(matches!(set_back(tested), Err(Refusal::InCondition(_))));
}

/// The second of two calls that post a notification gets the number `number`, for which the wait's process waits too.
fn renumbered(post: &str, wait: &str, number: u32) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| Suggestion {
        action: Action::Replace,
        call: format!("notification_id {number}"),
        instead_of: Some("notification_id 7".to_owned()),
        at: Some(places[0].clone()),
        before: Some(places[1].clone()),
        proof: Some(Proof::Verified),
        ..Suggestion::default()
    };
    let text = text(&format!("@1{post}"), &format!("@2{wait}"));
    let operation = post.split('(').next().unwrap_or_default();
    repaired("a.c", &text, operation, &suggestion)
}

#[test]
fn a_notification_that_would_be_lost_has_another_number() {
    let wait = "gaspi_notify_waitsome(0, 7, 1, &id, wait);\n        gaspi_notify_reset(0, id, &old);";
    let awaited = "{\n            gaspi_notification_id_t notified;\n            gaspi_notification_t notified_by;\n            \
                   gaspi_notify_waitsome(0, 65000, 1, &notified, GASPI_BLOCK);\n            \
                   gaspi_notify_reset(0, notified, &notified_by);\n        }\n        ";
    let new = renumbered("gaspi_notify(0, 1, 7, 2, q, wait);", wait, 65_000);
    let wanted = text(
        "gaspi_notify(0, 1, 65000, 2, q, wait);",
        &format!("{awaited}{wait}"),
    );
    assert_eq!(new, Ok(wanted));
    let new = renumbered(
        "gaspi_write_notify(1, 8, 1, 0, 520, 8, 7, 2, q, wait);",
        wait,
        65_000,
    );
    assert!(new.is_ok_and(|new| new.contains("520, 8, 65000, 2, q, wait);") && new.contains(awaited)));
    // A number that the text has, or may have; a wait in a loop, whose rounds would need one each.
    for wait in [
        "gaspi_notify_waitsome(0, 64990, 20, &id, wait);",
        "gaspi_notify_waitsome(0, first, count, &id, wait);",
    ] {
        let refusal = renumbered("gaspi_notify(0, 1, 7, 2, q, wait);", wait, 65_000);
        assert!(matches!(refusal, Err(Refusal::Placeholder(..))), "{refusal:?}");
    }
    let looped = "for (;;) {\n            gaspi_notify_waitsome(0, 7, 1, &id, wait);\n        }";
    let looped = looped.replace("gaspi_notify_waitsome", "@gaspi_notify_waitsome");
    let text = text("@1gaspi_notify(0, 1, 7, 2, q, wait);", &looped.replace('@', "@2"));
    let suggestion = |places: &[Place; 2]| Suggestion {
        action: Action::Replace,
        call: "notification_id 65000".to_owned(),
        instead_of: Some("notification_id 7".to_owned()),
        at: Some(places[0].clone()),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    };
    let refusal = repaired("a.c", &text, "gaspi_notify", &suggestion);
    assert!(matches!(refusal, Err(Refusal::InLoop(_))), "{refusal:?}");
}

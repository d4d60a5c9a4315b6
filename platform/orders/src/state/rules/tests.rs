//! The table of states.

use access::Caller;
use kernel::Id;
use uuid::Uuid;

use super::*;

const STATES: [OrderStatus; 7] = [Received, Succeeded, Processed, Prepared, Canceled, Expired, Failed];

/// Everything that may be done, as (state, action, permission, state after it). All else is refused.
const MAY: [(OrderStatus, Action, &str, OrderStatus); 14] = [
    (Received, Action::Expire, "service", Expired),
    (Received, Action::Pay, "provider", Succeeded),
    (Received, Action::Fail, "provider", Failed),
    (Received, Action::Cancel, "provider", Canceled),
    (Expired, Action::PayLate, "provider", Succeeded),
    (Failed, Action::PayLate, "provider", Succeeded),
    (Canceled, Action::PayLate, "provider", Succeeded),
    (Succeeded, Action::Accept, "order_accept", Processed),
    (Succeeded, Action::Archive, "order_storno", Succeeded),
    (Processed, Action::Prepare, "order_accept", Prepared),
    (Processed, Action::TakeBack, "order_accept", Succeeded),
    (Processed, Action::Archive, "order_storno", Processed),
    (Prepared, Action::Recall, "order_accept", Processed),
    (Prepared, Action::Archive, "order_storno", Prepared),
];
/// Actions that may be repeated without an effect.
const ALREADY: [(OrderStatus, Action); 10] = [
    (Succeeded, Action::TakeBack),
    (Prepared, Action::Prepare),
    (Processed, Action::Recall),
    (Expired, Action::Expire),
    (Succeeded, Action::Pay),
    (Processed, Action::Pay),
    (Prepared, Action::Pay),
    (Succeeded, Action::PayLate),
    (Failed, Action::Fail),
    (Canceled, Action::Cancel),
];

fn person() -> Caller {
    Caller::Person {
        account: Id::new(),
        admin: None,
        name: String::new(),
        surface: "admin".to_owned(),
        session: Uuid::nil(),
        whole_partner: true,
        support: None,
    }
}

fn api_key() -> Caller {
    Caller::Key { id: Uuid::nil(), name: String::new(), test: false, browser: false }
}

#[test]
fn every_state_action_and_caller() {
    let (person, api_key) = (person(), api_key());
    let holds = |held: &'static str| move |key: &str| key == held;
    let (accept, storno, all, none) =
        (holds("order_accept"), holds("order_storno"), |_: &str| true, |_: &str| false);
    let callers: [(&[&str], Actor<'_>); 7] = [
        (&["order_accept"], Actor::Caller(&person, &accept)),
        (&["order_storno"], Actor::Caller(&person, &storno)),
        (&["order_accept", "order_storno"], Actor::Caller(&person, &all)),
        (&[], Actor::Caller(&person, &none)),
        // A key changes nothing, whatever it holds.
        (&[], Actor::Caller(&api_key, &all)),
        (&["service"], Actor::Service),
        (&["provider"], Actor::Provider("stand-in")),
    ];
    let mut done = 0;
    for status in STATES {
        for &action in Action::ALL {
            for (held, actor) in callers {
                let case = format!("{status:?} {action:?} {held:?}");
                let rule = MAY.iter().find(|(from, what, ..)| (*from, *what) == (status, action));
                let needed = MAY.iter().find(|(_, what, ..)| *what == action).map(|(_, _, key, _)| *key);
                let may = needed.is_some_and(|key| held.contains(&key));
                let found = decide(action, status, false, actor);
                match (may, rule) {
                    (false, _) => assert_eq!(found, Decision::NotPermitted, "{case}"),
                    (true, Some((.., to))) => {
                        assert!(matches!(found, Decision::Do(rule) if rule.to == *to), "{case}: {found:?}");
                        done += 1;
                    }
                    (true, None) if ALREADY.contains(&(status, action)) => {
                        assert_eq!(found, Decision::Already, "{case}");
                    }
                    (true, None) => assert_eq!(found, Decision::WrongState, "{case}"),
                }
                let archived = decide(action, status, true, actor);
                let refused = match (may, action) {
                    (false, _) => Decision::NotPermitted,
                    (true, Action::Pay) if ALREADY.contains(&(status, action)) => Decision::Already,
                    (true, _) => Decision::WrongState,
                };
                assert_eq!(archived, refused, "{case}, archived");
            }
        }
    }
    assert_eq!(
        done, 21,
        "seven for staff with the permission and with all of them, one for the service, six for providers"
    );
}

#[test]
fn allowed_actions_match_the_states() {
    let names = |status, archived| allowed(status, archived).map(Action::name).collect::<Vec<_>>();
    assert_eq!(names(Succeeded, false), ["accept", "archive"]);
    assert_eq!(names(Processed, false), ["prepare", "take_back", "archive"]);
    assert_eq!(names(Prepared, false), ["recall", "archive"]);
    for status in STATES {
        assert!(names(status, true).is_empty());
    }
    for status in [Received, Canceled, Expired, Failed] {
        assert!(names(status, false).is_empty());
    }
}

#[test]
fn what_ends_an_order_gives_back_what_was_taken() {
    for rule in &RULES {
        assert_eq!(
            rule.gives_back,
            matches!(rule.action, Action::Archive | Action::Expire | Action::Fail | Action::Cancel),
            "{rule:?}"
        );
    }
}

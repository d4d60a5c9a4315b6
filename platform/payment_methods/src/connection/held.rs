//! The sealed secrets of a connection, and decisions about them. No I/O.

use chrono::{DateTime, Duration, Utc};
use contract::{Access, CallError, CallFault, Client, Secret, SignIn};
use serde::{Deserialize, Serialize};

/// A token is renewed when this share of its life is over, in percent.
const RENEW_AT: i64 = 75;

#[derive(Clone, Serialize, Deserialize)]
struct Token {
    token: Secret,
    renew_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

impl Token {
    fn new(access: Access, now: DateTime<Utc>) -> Self {
        let seconds = i64::from(access.seconds);
        Self {
            token: access.token,
            renew_at: now + Duration::seconds(seconds * RENEW_AT / 100),
            ends_at: now + Duration::seconds(seconds),
        }
    }
}

/// A person's sign-in. The refresh token is absent once it is used up.
#[derive(Clone, Serialize, Deserialize)]
struct Person {
    access: Token,
    refresh: Option<Secret>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Store {
    id: String,
    secret: Secret,
    access: Option<Token>,
}

/// The sealed part of a connection. A store's client outlives the sign-in: its access can be had any number
/// of times, while an answer that is lost takes the sign-in with it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ConnectionSecret {
    person: Option<Person>,
    store: Option<Store>,
}

/// The identity of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Of who signed in.
    Person,
    /// Of the client of the chosen store; of who signed in as long as there is none.
    Store,
}

/// The step before a call.
pub(super) enum Step {
    /// Nothing: this token is good.
    Use(Secret),
    /// Renew, then call; until it ends, the old token is good in case that fails.
    Renew(Renewal, Option<Secret>),
    /// A person has to sign in again.
    SignIn,
}

#[derive(Clone)]
pub(super) enum Renewal {
    Person(Secret),
    Store(Client),
}

pub(super) enum Renewed {
    Person(SignIn),
    Store(Access),
}

impl ConnectionSecret {
    /// After somebody has signed in.
    pub(super) fn signed_in(sign_in: SignIn, now: DateTime<Utc>) -> Self {
        Self {
            person: Some(Person { access: Token::new(sign_in.access, now), refresh: Some(sign_in.refresh) }),
            store: None,
        }
    }

    /// With the client of the store that was chosen.
    pub(super) fn with_client(mut self, client: Client) -> Self {
        self.store = Some(Store { id: client.id, secret: client.secret, access: None });
        self
    }

    /// Whether the connection has ended: no sign-in can be renewed and no store has a client.
    pub(super) fn is_over(&self, now: DateTime<Utc>) -> bool {
        self.store.is_none()
            && self
                .person
                .as_ref()
                .is_none_or(|person| person.refresh.is_none() && person.access.ends_at <= now)
    }

    /// Whether the person's sign-in is valid, so stores can be listed and chosen.
    pub(super) fn has_person(&self, now: DateTime<Utc>) -> bool {
        self.person.as_ref().is_some_and(|person| person.refresh.is_some() || person.access.ends_at > now)
    }

    /// What comes before a call in this name; `refused` is a token that the company did not take although it
    /// should be good.
    pub(super) fn step(&self, name: Name, now: DateTime<Utc>, refused: Option<&Secret>) -> Step {
        let usable = |token: &Token| {
            (token.ends_at > now && Some(&token.token) != refused).then(|| token.token.clone())
        };
        let fresh = |token: &Token| usable(token).filter(|_| token.renew_at > now);
        match (name, &self.store, &self.person) {
            (Name::Store, Some(store), _) => match store.access.as_ref().and_then(fresh) {
                Some(token) => Step::Use(token),
                None => {
                    let client = Client { id: store.id.clone(), secret: store.secret.clone() };
                    Step::Renew(Renewal::Store(client), store.access.as_ref().and_then(usable))
                }
            },
            (_, _, Some(person)) => match (fresh(&person.access), usable(&person.access), &person.refresh) {
                (Some(token), _, _) | (None, Some(token), None) => Step::Use(token),
                (None, old, Some(refresh)) => Step::Renew(Renewal::Person(refresh.clone()), old),
                (None, None, None) => Step::SignIn,
            },
            (_, _, None) => Step::SignIn,
        }
    }

    /// The secrets after a renewal. A refusal removes its own secret; any other failure changes nothing.
    pub(super) fn after(
        mut self, renewal: &Renewal, outcome: &Result<Renewed, CallError>, now: DateTime<Utc>,
    ) -> Self {
        match (renewal, outcome) {
            (_, Ok(Renewed::Person(sign_in))) => {
                self.person = Some(Person {
                    access: Token::new(sign_in.access.clone(), now),
                    refresh: Some(sign_in.refresh.clone()),
                });
            }
            (_, Ok(Renewed::Store(access))) => {
                if let Some(store) = &mut self.store {
                    store.access = Some(Token::new(access.clone(), now));
                }
            }
            (Renewal::Person(_), Err(error)) if error.fault == CallFault::Credentials => {
                // A token that was issued before stays valid until it expires.
                if let Some(person) = &mut self.person {
                    person.refresh = None;
                }
            }
            (Renewal::Store(_), Err(error)) if error.fault == CallFault::Credentials => self.store = None,
            (_, Err(_)) => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        "2026-01-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap() + Duration::seconds(second)
    }

    fn sign_in(number: u32) -> SignIn {
        SignIn {
            access: Access { token: Secret::new(format!("access {number}")), seconds: 900 },
            refresh: Secret::new(format!("refresh {number}")),
        }
    }

    fn text(held: &ConnectionSecret, name: Name, second: i64) -> String {
        match held.step(name, at(second), None) {
            Step::Use(token) => format!("use {}", token.reveal()),
            Step::Renew(Renewal::Person(refresh), old) => {
                format!("renew {}, else {:?}", refresh.reveal(), old.map(|old| old.reveal().to_owned()))
            }
            Step::Renew(Renewal::Store(client), old) => {
                format!("enter {}, else {:?}", client.id, old.map(|old| old.reveal().to_owned()))
            }
            Step::SignIn => "sign in".to_owned(),
        }
    }

    const REFUSED: fn() -> Result<Renewed, CallError> = || Err(CallError::harmless(CallFault::Credentials));

    #[test]
    fn a_token_is_renewed_before_it_ends_and_used_until_it_does() {
        let held = ConnectionSecret::signed_in(sign_in(1), at(0));
        assert_eq!(text(&held, Name::Person, 674), "use access 1");
        assert_eq!(text(&held, Name::Person, 675), r#"renew refresh 1, else Some("access 1")"#);
        assert_eq!(text(&held, Name::Store, 900), "renew refresh 1, else None", "there is no client yet");
        let renewal = Renewal::Person(Secret::new("refresh 1"));
        let renewed = held.clone().after(&renewal, &Ok(Renewed::Person(sign_in(2))), at(700));
        assert_eq!(text(&renewed, Name::Person, 900), "use access 2");
        let lost = held.clone().after(&renewal, &Err(CallError::unknown(CallFault::Unreachable)), at(700));
        assert_eq!(
            text(&lost, Name::Person, 700),
            r#"renew refresh 1, else Some("access 1")"#,
            "tried again"
        );
        let over = held.after(&renewal, &REFUSED(), at(700));
        assert_eq!(
            (text(&over, Name::Person, 700), over.is_over(at(700))),
            ("use access 1".to_owned(), false)
        );
        assert_eq!((text(&over, Name::Person, 900), over.is_over(at(900))), ("sign in".to_owned(), true));
    }

    #[test]
    fn a_client_goes_on_without_the_sign_in() {
        let held = ConnectionSecret::signed_in(sign_in(1), at(0))
            .with_client(Client { id: "till".to_owned(), secret: Secret::new("s") });
        let held = held.after(&Renewal::Person(Secret::new("refresh 1")), &REFUSED(), at(10));
        assert_eq!(text(&held, Name::Store, 5000), "enter till, else None");
        let access = Access { token: Secret::new("machine"), seconds: 900 };
        let renewal = Renewal::Store(Client { id: "till".to_owned(), secret: Secret::new("s") });
        let held = held.after(&renewal, &Ok(Renewed::Store(access)), at(5000));
        assert_eq!(
            (text(&held, Name::Store, 5001), text(&held, Name::Person, 5001)),
            ("use machine".to_owned(), "sign in".to_owned())
        );
        assert!(!held.is_over(at(99_999)) && !held.has_person(at(5001)));
        let held = held.after(&renewal, &REFUSED(), at(6000));
        assert!(held.is_over(at(6000)));
    }

    #[test]
    fn a_refused_token_is_not_used_again() {
        let held = ConnectionSecret::signed_in(sign_in(1), at(0));
        let refused = Secret::new("access 1");
        assert!(matches!(held.step(Name::Person, at(1), Some(&refused)), Step::Renew(_, None)));
        assert!(matches!(held.step(Name::Person, at(1), Some(&Secret::new("another"))), Step::Use(_)));
    }
}

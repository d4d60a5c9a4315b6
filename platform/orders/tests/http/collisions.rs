//! Requests that the database rolls back because of a conflict are repeated.

use testkit::{Place, kit};

use super::{pickup, prepared};

/// The next so many writes of an order lose as in a deadlock. A sequence counts them: it goes on when a
/// transaction does not.
async fn losing(place: &Place<'_>, write: &str, times: u32) {
    let schema = &place.schema;
    for sql in [
        format!("create sequence {schema}.attempts"),
        format!("grant usage on sequence {schema}.attempts to public"),
        format!(
            "create function {schema}.loses() returns trigger language plpgsql as $$ begin \
             if nextval('{schema}.attempts') <= {times} then raise exception 'deadlock detected' using \
             errcode = '40P01'; end if; return new; end $$"
        ),
        format!(
            "create trigger loses before {write} on {schema}.orders for each row execute function \
             {schema}.loses()"
        ),
    ] {
        place.kit.run(&sql, vec![]).await;
    }
}

#[testkit::test]
async fn a_lost_collision_is_repeated_silently() {
    let place = kit().await.partner().await;
    let (_, menu, key) = prepared(&place).await;
    losing(&place, "insert", 3).await;
    key.post("/public/orders").key("one").json(pickup(&menu)).send().await.assert(201);
    assert_eq!(place.count("orders").await, 1);
}

#[testkit::test]
async fn a_request_that_has_no_body_is_done_again_without_one() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let id = key.post("/public/orders").key("one").json(pickup(&menu)).send().await.assert(201).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    losing(&place, "update", 1).await;
    let accepted = admin.put(&format!("/orders/{id}/accept")).send().await.assert(200).json();
    assert_eq!(accepted["id"], id.as_str());
}

#[testkit::test]
async fn repeated_collisions_answer_retry_later() {
    let place = kit().await.partner().await;
    let (_, menu, key) = prepared(&place).await;
    losing(&place, "insert", 100).await;
    key.post("/public/orders")
        .key("one")
        .json(pickup(&menu))
        .send()
        .await
        .assert_problem(503, "UNAVAILABLE_SERVER");
    assert_eq!(place.count("orders").await, 0);
    let tried = place.kit.row(&format!("select last_value from {}.attempts", place.schema), vec![]).await;
    assert_eq!(tried.try_get::<i64>("", "last_value").unwrap(), 4, "once and three times more");
}

//! Requests that the database gives up in favour of others are done again (reliability 5).

use serde_json::json;
use testkit::{Place, kit};

/// The next so many writes of a courier lose as in a deadlock. A sequence counts them: it goes on when a transaction does not.
async fn losing(place: &Place<'_>, times: u32) {
    let schema = &place.schema;
    for sql in [
        format!("create sequence {schema}.attempts"),
        format!("grant usage on sequence {schema}.attempts to public"),
        format!(
            "create function {schema}.loses() returns trigger language plpgsql as $$ begin \
             if nextval('{schema}.attempts') <= {times} then raise exception 'deadlock detected' using errcode = '40P01'; end if; return new; end $$"
        ),
        format!("create trigger loses before insert on {schema}.courier for each row execute function {schema}.loses()"),
    ] {
        place.kit.run(&sql, vec![]).await;
    }
}

#[tokio::test]
async fn who_loses_a_collision_is_not_told_of_it() {
    let place = kit().await.partner().await;
    losing(&place, 3).await;
    let admin = place.admin().await;
    let courier = json!({"first_name": "Béla", "last_name": "Kovács"});
    admin.post("/couriers").json(courier).send().await.assert(201);
    assert_eq!(place.count("courier").await, 1);
}

#[tokio::test]
async fn who_loses_again_and_again_is_told_to_come_later() {
    let place = kit().await.partner().await;
    losing(&place, 100).await;
    let admin = place.admin().await;
    admin.post("/couriers").json(json!({"first_name": "Béla", "last_name": "Kovács"})).send().await.assert_problem(503, "UNAVAILABLE_SERVER");
    assert_eq!(place.count("courier").await, 0);
    let tried = place.kit.row(&format!("select last_value from {}.attempts", place.schema), vec![]).await;
    assert_eq!(tried.try_get::<i64>("", "last_value").unwrap(), 4, "once and three times more");
}

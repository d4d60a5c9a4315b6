//! Events of orders.

use testkit::kit;

use super::{pickup, prepared};

#[testkit::test]
async fn numbers_of_events_have_no_gap_and_follow_the_commits() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let answers = futures_util::future::join_all(
        (0..10).map(|number| key.post("/public/orders").key(&number.to_string()).json(pickup(&menu)).send()),
    )
    .await;
    for answer in answers {
        let id = answer.assert(201).json()["id"].as_str().unwrap().to_owned();
        admin.put(&format!("/orders/{id}/accept")).send().await.assert(200);
    }
    let sql = format!(
        "select count(*) n, min(number) low, max(number) high, count(distinct number) different from \
         {}.event where restaurant_id = $1 and kind = 'TASK_ORDERS_RELOAD'",
        place.schema
    );
    let row = place.kit.row(&sql, vec![place.restaurant.into()]).await;
    let number = |name: &str| row.try_get::<i64>("", name).unwrap();
    assert_eq!((number("n"), number("different")), (20, 20));
    assert_eq!(number("high") - number("low"), 19);
}

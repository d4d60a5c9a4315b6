//! Limits of API keys, over several instances, and of sessions. See `docs/decisions/permissions.md#limits`.

use futures_util::{StreamExt, stream};
use poem::endpoint::BoxEndpoint;
use serde_json::json;
use testkit::{Answer, Client, Place, kit};

/// A key of this kind: its id, and a client with it.
async fn key<'k>(place: &Place<'k>, kind: &str) -> (String, Client<'k>) {
    let origins = if kind == "browser" { json!(["https://shop.example"]) } else { json!([]) };
    let made = place
        .admin()
        .await
        .post("/api-keys")
        .json(json!({"name": "x", "kind": kind, "origins": origins}))
        .send()
        .await
        .assert(201)
        .json();
    let client =
        place.nobody().bearer(made["api_key"].as_str().unwrap()).header("origin", "https://shop.example");
    (made["id"].as_str().unwrap().to_owned(), client)
}

/// Asks for the price of nothing: an answer that no cache gives.
async fn call(client: &Client<'_>) -> Answer {
    client
        .post("/public/orders/quote")
        .json(json!({"platform": "browser", "pickup": true, "items": []}))
        .send()
        .await
}

/// This many calls, as many at once as there are connections, taken in turns by the instances; their answers.
async fn answers(
    client: &Client<'static>, instances: &[&'static BoxEndpoint<'static>], calls: usize,
) -> Vec<Answer> {
    let answers = stream::iter(0..calls).map(|number| {
        let client = client.at(instances[number % instances.len()]);
        async move { call(&client).await }
    });
    answers.buffer_unordered(8).collect().await
}

/// The same; how many were let through.
async fn burst(client: &Client<'static>, instances: &[&'static BoxEndpoint<'static>], calls: usize) -> usize {
    let statuses: Vec<_> =
        answers(client, instances, calls).await.iter().map(|answer| answer.status).collect();
    assert!(statuses.iter().all(|status| [200, 422, 429].contains(status)), "{statuses:?}");
    statuses.iter().filter(|status| **status != 429).count()
}

/// The beginning of a second by the database's clock, so that what follows is in one window.
async fn next_second() {
    let row = kit()
        .await
        .row("select (1 - (extract(epoch from clock_timestamp())::numeric % 1))::float8 left", vec![])
        .await;
    let left: f64 = row.try_get("", "left").unwrap();
    tokio::time::sleep(std::time::Duration::from_secs_f64(left + 0.01)).await;
}

/// Not at the end of a quarter of an hour by the database's clock, where what follows would be in two
/// windows.
async fn same_quarter() {
    let row = kit()
        .await
        .row("select (900 - (extract(epoch from clock_timestamp())::numeric % 900))::float8 left", vec![])
        .await;
    let left: f64 = row.try_get("", "left").unwrap();
    if left < 20.0 {
        tokio::time::sleep(std::time::Duration::from_secs_f64(left + 0.01)).await;
    }
}

async fn second_instance() -> &'static BoxEndpoint<'static> {
    Box::leak(Box::new(kit().await.second_instance().await))
}

#[testkit::test]
async fn a_key_has_twenty_calls_a_second_on_all_instances_together() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (_, client) = key(&place, "secret").await;
    let instances = [&kit.service, second_instance().await];
    // Knowing the key costs a statement the first time.
    burst(&client, &instances, 2).await;
    next_second().await;
    let begun = std::time::Instant::now();
    let mut passed = 0;
    for _ in 0..4 {
        passed += burst(&client, &instances, 60).await;
    }
    let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap() + 1;
    assert!(passed >= 18 && passed <= 20 * (seconds + 1), "{passed} calls in {seconds} s");
    // One after the other may be too slow for it.
    let refused = loop {
        if let Some(answer) =
            answers(&client, &instances, 60).await.into_iter().find(|answer| answer.status == 429)
        {
            break answer.assert_problem(429, "TOO_MANY_REQUESTS");
        }
    };
    assert_eq!(
        (refused.header("retry-after"), refused.header("ratelimit-remaining")),
        (Some("1"), Some("0"))
    );
    assert_eq!(
        (refused.header("ratelimit-limit"), refused.header("ratelimit-policy")),
        (Some("20"), Some("20;w=1"))
    );
    // A second later it goes on.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    assert_ne!(call(&client).await.status, 429);
}

#[testkit::test]
async fn ten_thousand_in_a_quarter_of_an_hour_are_shared_to_the_last_one() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (id, client) = key(&place, "test").await;
    let instances = [&kit.service, second_instance().await];
    same_quarter().await;
    let spent = "insert into control.allowance (subject, second, second_used, quarter, quarter_used) \
                 values ($1, 0, 0, floor(extract(epoch from now()) / 900), 99880)";
    kit.run(spent, vec![id.clone().into()]).await;
    let first = call(&client).await;
    assert_eq!(
        (first.header("ratelimit-limit"), first.header("ratelimit-remaining")),
        (Some("10000"), Some("11"))
    );
    let reset: u64 = first.header("ratelimit-reset").unwrap().parse().unwrap();
    assert!(reset <= 900 && first.header("ratelimit-policy") == Some("20;w=1, 10000;w=900"));
    let mut passed = 1;
    for _ in 0..4 {
        passed += burst(&client, &instances, 10).await;
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    }
    // What is left of a block is the instance's that took it; together it is never more.
    assert!((11..=12).contains(&passed), "{passed}");
    let refused = call(&client).await.assert_problem(429, "TOO_MANY_REQUESTS");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=900).contains(&wait));
    let row = kit.row("select quarter_used from control.allowance where subject = $1", vec![id.into()]).await;
    assert_eq!(row.try_get::<i32>("", "quarter_used").unwrap(), 100_000);
}

#[testkit::test]
async fn guests_of_a_browser_key_do_not_disturb_each_other() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (id, client) = key(&place, "browser").await;
    // Five a second for one guest, on both instances together, whichever the calls come to.
    let instances = [&kit.service, second_instance().await];
    burst(&client, &instances, 2).await;
    for at in [&instances[..1], &instances[..]] {
        next_second().await;
        let begun = std::time::Instant::now();
        let passed = burst(&client, at, 24).await;
        let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap();
        assert!(passed >= 5 && passed <= 5 * (seconds + 2), "{passed} in {seconds} s");
        assert!(
            passed == 5 || begun.elapsed() > std::time::Duration::from_millis(900),
            "{passed} calls of one second passed"
        );
    }
    let row = kit
        .row(
            "select max(second_used) used from control.allowance where subject like $1 || ' %'",
            vec![id.clone().into()],
        )
        .await;
    assert_eq!(row.try_get::<i32>("", "used").unwrap(), 50, "tenths of a call");
    let other = client.clone().header("x-forwarded-for", "203.0.113.7");
    let answer = call(&other).await;
    assert_eq!((answer.status == 429, answer.header("ratelimit-limit")), (false, Some("600")));
    let rows = kit
        .row("select count(*) n from control.allowance where subject like $1 || '%'", vec![id.into()])
        .await;
    assert_eq!(rows.try_get::<i64>("", "n").unwrap(), 3, "the key and two guests");
}

#[testkit::test]
async fn a_cached_answer_counts_a_tenth() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (_, client) = key(&place, "secret").await;
    let first = client.get("/public/menu").send().await.assert(200);
    let tag = first.header("etag").unwrap().to_owned();
    let left = |answer: &Answer| answer.header("ratelimit-remaining").unwrap().parse::<i32>().unwrap();
    let before = left(&first);
    let mut last = before;
    for number in 0..10 {
        let call = client.get("/public/menu");
        let call = if number % 2 == 0 { call.header("if-none-match", &tag) } else { call };
        let answer = call.send().await;
        assert_eq!(answer.status, if number % 2 == 0 { 304 } else { 200 });
        last = left(&answer);
    }
    assert!(before - last <= 2, "ten of them cost one call: {before} {last}");
}

#[testkit::test]
async fn a_larger_third_party_gets_more_and_people_are_not_counted() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (id, client) = key(&place, "secret").await;
    kit.run("update control.api_key set limit_factor = 50 where id = $1::text::uuid", vec![id.into()]).await;
    assert_eq!(burst(&client, &[&kit.service], 200).await, 200);
    let admin = place.admin().await;
    let answer = admin.get("/public/menu").send().await.assert(200);
    assert!(answer.header("ratelimit-limit").is_none());
}

/// Shares are measured by counting, which a busy machine does not change: nobody is refused for another's
/// calls, and while one call is answered another key gets no further than its own quota, so no call waits for
/// more work than that.
#[testkit::test]
async fn a_key_over_its_limit_does_not_slow_others() {
    let kit = kit().await;
    let (noisy, quiet) = (kit.restaurant().await, kit.restaurant().await);
    let ((_, noisy), (_, quiet)) = (key(&noisy, "secret").await, key(&quiet, "secret").await);
    let passed = std::cell::Cell::new(0);
    let done = std::cell::Cell::new(false);
    let flood = async {
        let mut calls = 0;
        while !done.get() || calls < 400 {
            calls += 40;
            passed.set(passed.get() + burst(&noisy, &[&kit.service], 40).await);
        }
    };
    let calm = async {
        let mut statuses = Vec::new();
        let mut ahead = Vec::new();
        for _ in 0..20 {
            let (before, begun) = (passed.get(), std::time::Instant::now());
            statuses.push(call(&quiet).await.status);
            // A quota for each second that has begun meanwhile, and a burst of those that were under way.
            let quotas = usize::try_from(begun.elapsed().as_secs()).unwrap() + 2;
            ahead.push((passed.get() - before, 20 * quotas));
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
        }
        done.set(true);
        (statuses, ahead)
    };
    let begun = std::time::Instant::now();
    let ((), (statuses, ahead)) = futures_util::future::join(flood, calm).await;
    assert!(statuses.iter().all(|status| [200, 422].contains(status)), "{statuses:?}");
    assert!(ahead.iter().all(|(passed, quota)| passed <= quota), "{ahead:?}");
    let passed = passed.get();
    assert!(passed <= 20 * (usize::try_from(begun.elapsed().as_secs()).unwrap() + 2), "{passed}");
}

/// They are counted before anything is asked for, so a session that has ended has its own.
#[testkit::test]
async fn a_session_has_so_many_calls_and_no_other_pays_for_it() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let instance = kit.instance_of_few_calls().await;
    let [loops, ended, works] = [place.admin().await, place.admin().await, place.admin().await];
    ended.delete("/api/v3/admins/sign_out").send().await.assert(204);
    for (client, alive) in [(&loops, 200), (&ended, 401)] {
        let at = client.at(&instance);
        let answers = stream::iter(0..6).then(|_| at.get("/api-keys").send()).collect::<Vec<_>>().await;
        assert_eq!(answers[0].status, alive);
        let refused = answers.into_iter().find(|answer| answer.status == 429).expect("one is too many");
        assert_eq!(refused.assert_problem(429, "TOO_MANY_REQUESTS").header("retry-after"), Some("1"));
    }
    works.at(&instance).get("/api-keys").send().await.assert(200);
    // Another instance counts for itself.
    loops.get("/api-keys").send().await.assert(200);
    // Whoever has none left can still end the session.
    let at = loops.at(&instance);
    let refused = stream::iter(0..20).then(|_| at.get("/api-keys").send()).any(async |one| one.status == 429);
    assert!(refused.await);
    at.delete("/api/v3/admins/sign_out").send().await.assert(204);
    loops.get("/api-keys").send().await.assert(401);
}

/// A short path reads the credential twice: for its place, and for the call itself.
#[testkit::test]
async fn a_call_by_a_short_path_is_one_call_of_its_session() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let instance = kit.instance_of_few_calls().await;
    let admin = place.admin().await.header("x-target", place.restaurant.to_string());
    let at = admin.at(&instance);
    // Two at once after a pause, so two would be refused if each were counted twice.
    for _ in 0..2 {
        at.get("/api/v3/api-keys").send().await.assert(200);
    }
    let answers = stream::iter(0..4).then(|_| at.get("/api/v3/api-keys").send()).collect::<Vec<_>>().await;
    assert!(answers.iter().any(|answer| answer.status == 429), "they are counted");
}

use testkit::plain_resource;

#[tokio::test]
async fn couriers_are_a_plain_resource() {
    plain_resource("couriers").await;
}

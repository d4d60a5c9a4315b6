use testkit::plain_resource;

#[testkit::test]
async fn couriers_are_a_plain_resource() {
    plain_resource("couriers").await;
}

use testkit::plain_resource;

#[tokio::test]
async fn {{many}}_are_a_plain_resource() {
    plain_resource("{{many}}").await;
}

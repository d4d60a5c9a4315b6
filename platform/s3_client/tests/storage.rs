//! The client against a server that speaks S3. Every test process has a server of its own over one folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

use object_storage::Storage;
use s3_client::storage;
use testkit::objects;
use tokio::io::AsyncReadExt;
use uuid::Uuid;

async fn read(store: &Storage, key: &str) -> Option<Vec<u8>> {
    let mut object = store.get(key).await.unwrap()?;
    let mut content = Vec::new();
    object.content.read_to_end(&mut content).await.unwrap();
    assert_eq!(object.bytes, Some(content.len() as u64));
    Some(content)
}

#[tokio::test]
async fn an_object_is_stored_read_and_removed_and_a_missing_one_is_no_failure() {
    let store = storage(&objects().await);
    let folder = format!("private/{}", Uuid::new_v4().simple());
    let key = format!("{folder}/one");
    assert!(read(&store, &key).await.is_none());
    store.remove(&key).await.unwrap();
    for number in 0..20 {
        store.put(&format!("{folder}/{number}"), "text/plain", vec![number; 10]).await.unwrap();
    }
    assert_eq!(read(&store, &format!("{folder}/7")).await, Some(vec![7; 10]));
    store.remove(&format!("{folder}/7")).await.unwrap();
    assert!(read(&store, &format!("{folder}/7")).await.is_none());
    store.remove_below(&format!("{folder}/")).await.unwrap();
    for number in 0..20 {
        assert!(read(&store, &format!("{folder}/{number}")).await.is_none());
    }
}

#[tokio::test]
async fn a_refusal_is_unavailable_and_its_text_has_no_secret() {
    let mut settings = objects().await;
    settings.secret_key = "a-wrong-secret-of-this-test".into();
    let error =
        storage(&settings).get("private/one").await.err().expect("the signature is wrong").to_string();
    assert!(!error.contains("a-wrong-secret"), "{error}");
    settings.bucket = "another-bucket".into();
    assert!(storage(&settings).get("private/one").await.is_err(), "a missing bucket is no missing object");
}

/// A partner without pictures is removed also where no picture was ever stored.
#[tokio::test]
async fn an_empty_store_is_no_failure_for_what_removes() {
    let mut settings = objects().await;
    for bucket in [settings.bucket.clone(), "made-by-nothing".to_owned()] {
        settings.bucket = bucket;
        let (store, partner) = (storage(&settings), format!("public/{}/", Uuid::new_v4()));
        store.remove_below(&partner).await.unwrap();
        store.remove(&format!("{partner}none/small.webp")).await.unwrap();
    }
    assert!(storage(&settings).put("private/one", "text/plain", vec![1]).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_over_one_folder_keep_each_others_objects_apart() {
    let stores = [storage(&objects().await), storage(&objects().await), storage(&objects().await)];
    let put = |store: Storage, number: u8| async move {
        let (key, bytes) = (format!("private/{}", Uuid::new_v4().simple()), vec![number; 200_000]);
        store.put(&key, "image/webp", bytes.clone()).await.unwrap();
        assert!(read(&store, &key).await == Some(bytes), "{key} holds what another server was given");
        store.remove(&key).await.unwrap();
    };
    let puts = (0..30_u8).map(|number| tokio::spawn(put(stores[usize::from(number) % 3].clone(), number)));
    let puts: Vec<_> = puts.collect();
    // Others begin meanwhile.
    for _ in 0..10 {
        objects().await;
    }
    for put in puts {
        put.await.unwrap();
    }
}

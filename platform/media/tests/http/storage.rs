//! The object store of the tests: every process has a server of its own over one folder.

use object_storage::Storage;
use testkit::objects;
use tokio::io::AsyncReadExt;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn servers_over_one_folder_keep_each_others_objects_apart() {
    let stores =
        [Storage::new(&objects().await), Storage::new(&objects().await), Storage::new(&objects().await)];
    let put = |store: Storage, number: u8| async move {
        let (key, bytes) = (format!("private/{}", Uuid::new_v4().simple()), vec![number; 200_000]);
        store.put(&key, "image/webp", bytes.clone()).await.unwrap();
        let mut kept = Vec::new();
        store.get(&key).await.unwrap().expect("it was put").content.read_to_end(&mut kept).await.unwrap();
        assert!(kept == bytes, "{key} holds what another server was given");
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

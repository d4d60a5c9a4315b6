//! Devices that receive notifications. An app registers its devices with the restaurant's API key. Tokens are
//! personal data and are never answered. See `docs/decisions/messages.md#push-notifications`.

use access::prelude::*;

pub(crate) struct PushDevices;

kernel::resource!(PushDevices, "push_devices", "PUSH_DEVICE");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum PushPlatform {
    Android,
    Ios,
    Web,
}

#[derive(Debug, Object)]
struct NewPushDevice {
    /// The device's registration token, as Firebase gave it to the app.
    #[oai(validator(min_length = 1, max_length = 4096, pattern = r"^[A-Za-z0-9_:.\-]+$"))]
    token: String,
    platform: PushPlatform,
}

/// A device that takes notifications.
#[derive(Debug, Object)]
struct PushDevice {
    /// With this it is taken out again.
    id: Id<PushDevices>,
    platform: PushPlatform,
}

const REGISTER: &str = "insert into push_device (id, restaurant_id, token, platform) values ($1, $2, $3, $4) \
    on conflict (restaurant_id, token) do update set platform = excluded.platform, seen_at = now() returning \
    id";

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/push-devices",
    tag = "Tag::Public"
)]
impl PushDevices {
    /// Registers a guest's device for the restaurant's notifications.
    ///
    /// The same token again is the same device: an app calls this whenever it starts. One that was not seen
    /// for 270 days is forgotten.
    #[oai(path = "/", method = "post", operation_id = "push_devices_create")]
    async fn create(
        &self, scope: In<Public, OfFeature<feature::Push, perm::OrdersWrite>>, body: Body<NewPushDevice>,
    ) -> Result<Created<PushDevice>> {
        let NewPushDevice { token, platform } = body.into_inner();
        let name = match platform {
            PushPlatform::Android => "android",
            PushPlatform::Ios => "ios",
            PushPlatform::Web => "web",
        };
        let tx = scope.begin().await?;
        let id = tx
            .value(
                REGISTER,
                [Id::<PushDevices>::new().into(), scope.restaurant().into(), token.into(), name.into()],
            )
            .await?
            .ok_or(Code::UNKNOWN_ERROR)?;
        tx.commit().await?;
        Ok(Created(PushDevice { id, platform }))
    }

    /// Takes a device out: its guest wants no notifications any more.
    ///
    /// codes: PUSH_DEVICE_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "push_devices_delete")]
    async fn delete(
        &self, scope: In<Public, OfFeature<feature::Push, perm::OrdersWrite>>, id: Path<Id<PushDevices>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let sql = "delete from push_device where restaurant_id = $1 and id = $2";
        if tx.run(sql, [scope.restaurant().into(), id.0.into()]).await? == 0 {
            return Err(Problem::not_exist::<PushDevices>());
        }
        tx.commit().await?;
        Ok(Done)
    }
}

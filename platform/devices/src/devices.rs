//! The devices of a restaurant: added, paired, renamed, revoked. See `docs/decisions/devices.md#pairing`.

use access::{App, digest, prelude::*};
use kernel::{DeviceKind, clock};
use serde_json::json;

use crate::{
    code::ShortCode,
    kiosks, store, tvs,
    types::{Device, DeviceChange, DevicePairing, Devices, NewDevice, page_of},
};

/// Minutes in which a code or a link is good.
const MINUTES: i32 = 10;

/// Makes a code and a link for a device.
async fn open(app: &App, tx: &TenantTx, id: Id<Devices>, kind: DeviceKind) -> Result<DevicePairing> {
    let link = store::secret();
    // Another device may wait with the same code: of 10^12, twice in a row is as good as never.
    for _ in 0..2 {
        let code = ShortCode::new();
        if store::open_pairing(tx, id, code.digest(app), digest(&link), MINUTES).await? {
            let page =
                app.settings.public_url.join(page_of(kind)).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
            let expires_at = Timestamp(clock::now() + chrono::Duration::minutes(MINUTES.into()));
            return Ok(DevicePairing {
                code: code.shown(),
                link: format!("{page}#pair={link}"),
                address: page.to_string(),
                expires_at,
            });
        }
    }
    Err(Problem::new(Code::UNAVAILABLE_SERVER).retry_after(5))
}

type Here = In<Restaurant, perm::AdminTable>;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/devices",
    tag = "Tag::Devices"
)]
impl Devices {
    /// The restaurant's devices, and when each was there last.
    #[oai(path = "/", method = "get", operation_id = "devices_list")]
    async fn list(&self, scope: Here) -> Result<Page<Device>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(store::all(&tx, scope.restaurant()).await?))
    }

    /// One device.
    ///
    /// codes: DEVICE_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "devices_get")]
    async fn get(&self, scope: Here, id: Path<Id<Devices>>) -> Result<Json<Device>> {
        let tx = scope.begin().await?;
        store::find(&tx, scope.restaurant(), *id).await.map(Json)
    }

    /// Adds a device, and makes the code and the link that pair it.
    #[oai(path = "/", method = "post", operation_id = "devices_create")]
    async fn create(&self, scope: Here, body: Body<NewDevice>) -> Result<Created<Device>> {
        let NewDevice { name, kind, restaurant_tv_id, restaurant_kiosk_id } = body.into_inner();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        // Both are looked at, whichever the kind needs: an id that means nothing is never passed over.
        let mut faults =
            rows::missing::<tvs::Entity, _>(&tx, restaurant, "restaurant_tv_id", restaurant_tv_id)
                .await?
                .into_iter()
                .collect::<Vec<_>>();
        faults.extend(
            rows::missing::<kiosks::Entity, _>(&tx, restaurant, "restaurant_kiosk_id", restaurant_kiosk_id)
                .await?,
        );
        let (field, subject) = match kind {
            DeviceKind::GuestTv => ("restaurant_tv_id", restaurant_tv_id.map(Id::uuid)),
            DeviceKind::Kiosk => ("restaurant_kiosk_id", restaurant_kiosk_id.map(Id::uuid)),
        };
        faults.extend(subject.is_none().then(|| (field.to_owned(), Fault::Required)));
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        let id = Id::<Devices>::new();
        store::create(&tx, restaurant, id, kind, &name, subject).await?;
        let pairing = open(scope.app(), &tx, id, kind).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "devices_create",
                id,
                json!({"name": [null, name], "kind": [null, kind.name()]}),
            )
            .await?;
        let mut device = store::find(&tx, restaurant, id).await?;
        device.pairing = Some(pairing);
        store::notify(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Created(device))
    }

    /// Makes another code and another link. What the device has so far stays good until it is paired anew.
    ///
    /// codes: DEVICE_NOT_EXIST, IN_USE
    #[oai(path = "/:id/pairing", method = "post", operation_id = "devices_pairing")]
    async fn pairing(&self, scope: Here, id: Path<Id<Devices>>) -> Result<Created<Device>> {
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let device = store::find(&tx, restaurant, *id).await?;
        if device.by_address {
            return Err(Problem::new(Code::IN_USE)
                .detail("this device is opened by the address of its guest TV: make that anew there"));
        }
        let pairing = open(scope.app(), &tx, *id, device.kind).await?;
        scope.audit(&tx, Some(restaurant.uuid()), "devices_pairing", *id, json!({})).await?;
        let mut device = store::find(&tx, restaurant, *id).await?;
        device.pairing = Some(pairing);
        tx.commit().await?;
        Ok(Created(device))
    }

    /// Gives a device another name.
    ///
    /// codes: DEVICE_NOT_EXIST
    #[oai(path = "/:id", method = "put", operation_id = "devices_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Devices>>, body: Body<DeviceChange>,
    ) -> Result<Json<Device>> {
        let DeviceChange { name } = body.into_inner();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let before = store::find(&tx, restaurant, *id).await?;
        if let Some(name) = name.filter(|name| *name != before.name) {
            store::rename(&tx, *id, &name).await?;
            scope
                .audit(
                    &tx,
                    Some(restaurant.uuid()),
                    "devices_update",
                    *id,
                    json!({"name": [before.name, name]}),
                )
                .await?;
        }
        let after = store::find(&tx, restaurant, *id).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Revokes a device: its next request is refused, and what it has open is closed within a second.
    ///
    /// codes: DEVICE_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "devices_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<Devices>>) -> Result<Done> {
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let before = store::find(&tx, restaurant, *id).await?;
        store::revoke(&tx, *id).await?;
        scope
            .audit(&tx, Some(restaurant.uuid()), "devices_delete", *id, json!({"name": [before.name, null]}))
            .await?;
        store::notify(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

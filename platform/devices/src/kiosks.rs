//! Kiosks, where guests order by themselves. The permission `kiosk` edits the list. See
//! `docs/decisions/devices.md#kiosks`.

use access::prelude::*;
use kernel::ids::Kiosks;
use rand::Rng;
use sea_orm::Select;

use crate::store;

pub struct KiosksApi;

/// A kiosk of the restaurant.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "Kiosk")]
#[sea_orm(table_name = "kiosk")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Kiosks>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    /// Typed at the kiosk to open its settings: 4 to 8 digits, another one for each kiosk of the restaurant.
    pub pin: String,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
struct NewKiosk {
    #[oai(validator(max_length = 80))]
    name: String,
    /// Made when left out: six digits.
    #[oai(validator(pattern = "^[0-9]{4,8}$"))]
    pin: Option<String>,
}

#[derive(Debug, Object)]
struct KioskChange {
    #[oai(validator(min_length = 1, max_length = 80))]
    name: Option<String>,
    #[oai(validator(pattern = "^[0-9]{4,8}$"))]
    pin: Option<String>,
    version: Option<i64>,
}

/// A kiosk in short, for choosing.
#[derive(Debug, Object)]
struct KioskShort {
    id: Id<Kiosks>,
    name: String,
}

type Kiosk = Model;
entity!();

impl rows::Table for Entity {
    type Of = Kiosks;
    type Tx = TenantTx;
    type Answer = Kiosk;
    const HOME: rows::Home = rows::Home::Restaurant;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }

    async fn after(rows: &rows::Rows<'_>, change: rows::Change<'_, Model>) -> Result<()> {
        match change {
            rows::Change::Removed(id) => store::revoke_all(rows.tx(), rows.restaurant()?, id).await,
            _ => Ok(()),
        }
    }
}

type Here = In<Restaurant, OfFeature<feature::Kiosk, perm::Kiosk>>;

const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('kiosk pins ' || $1::uuid::text, 0))::text";
const TAKEN: &str = "select 1 from kiosk where restaurant_id = $1 and pin = $2 and id is distinct from $3 \
    and archived_at is null";
/// Of a million PINs of six digits the kiosks of a restaurant have a few.
const TRIES: usize = 50;

/// Whether another kiosk of the restaurant has the PIN. Who asks next waits until the end of the transaction,
/// so that the index never has to refuse: Postgres writes the values of what it refuses into its log.
async fn taken(rows: &rows::Rows<'_>, pin: &str, but: Option<Id<Kiosks>>) -> Result<bool> {
    let restaurant = rows.restaurant()?;
    rows.tx().run(LOCK, [restaurant.into()]).await?;
    let values = [restaurant.into(), pin.into(), but.map(Id::uuid).into()];
    Ok(rows.tx().row(TAKEN, values).await?.is_some())
}

/// The PIN that was sent, or a free one.
/// Errors: `VALIDATION_FAILED` at `pin`.
async fn own_pin(rows: &rows::Rows<'_>, sent: Option<String>, but: Option<Id<Kiosks>>) -> Result<String> {
    if let Some(pin) = sent {
        return match taken(rows, &pin, but).await? {
            true => Err(Problem::new(Code::VALIDATION_FAILED).key("pin", Fault::NotUnique)),
            false => Ok(pin),
        };
    }
    for _ in 0..TRIES {
        let pin = format!("{:06}", rand::rng().random_range(0..1_000_000));
        if !taken(rows, &pin, but).await? {
            return Ok(pin);
        }
    }
    Err(Code::UNKNOWN_ERROR.into())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/kiosks",
    tag = "Tag::Devices"
)]
impl KiosksApi {
    /// The restaurant's kiosks by name.
    #[oai(path = "/", method = "get", operation_id = "kiosks_list")]
    async fn list(&self, scope: Here, name: QueryParam<String>, paging: Unpaged) -> Result<Page<Kiosk>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.list(rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref()), paging).await
    }

    /// Kiosks in short, for choosing.
    #[oai(path = "/picker", method = "get", operation_id = "kiosks_pick")]
    async fn pick(
        &self,
        scope: In<Restaurant, AnyOf<(perm::Kiosk, perm::PaymentMethod, perm::PosPrint, perm::AdminTable)>>,
        paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<KioskShort>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        Ok(rows.list(found, paging).await?.map(|kiosk| KioskShort { id: kiosk.id, name: kiosk.name }))
    }

    /// One kiosk.
    ///
    /// codes: KIOSK_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "kiosks_get")]
    async fn get(&self, scope: Here, id: Path<Id<Kiosks>>) -> Result<Json<Kiosk>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a kiosk.
    #[oai(path = "/", method = "post", operation_id = "kiosks_create")]
    async fn create(&self, scope: Here, key: IdempotencyKey, body: Body<NewKiosk>) -> Result<Stored<Kiosk>> {
        let (NewKiosk { name, pin }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            let pin = own_pin(&rows, pin, None).await?;
            let mut row = ActiveModel::new();
            fill!(row: name, pin);
            Ok(row)
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a kiosk.
    ///
    /// codes: KIOSK_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "kiosks_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Kiosks>>, body: Body<KioskChange>,
    ) -> Result<Json<Kiosk>> {
        let KioskChange { name, pin, version } = body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        let pin = match pin {
            Some(pin) => Some(own_pin(&rows, Some(pin), Some(*id)).await?),
            None => None,
        };
        apply!(edit.row: name, pin);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a kiosk; its PIN is free again, its devices are revoked.
    ///
    /// codes: KIOSK_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "kiosks_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<Kiosks>>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

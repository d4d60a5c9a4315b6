//! Trying what a menu consists of: how its price is split, and the VAT in it, before it is saved. See
//! `docs/decisions/catalogue.md#components`.

use access::prelude::*;
use kernel::money::{Money, Percent};
use pricing::{Component, VatSum};

use super::{Subproducts, components::KnownSizes, types::ComponentRow};
use crate::{
    price::SalePrice,
    resolve::pieces,
    snapshot::{SnapshotRequest, snapshot},
};

/// A menu that is being put together.
#[derive(Debug, Object)]
struct CompositionDraft {
    /// The size itself, where it is saved already: it cannot consist of itself.
    id: Option<Id<Subproducts>>,
    /// Gross, of one piece.
    price: SalePrice,
    #[oai(validator(min_items = 1, max_items = 50))]
    components: Vec<ComponentRow>,
}

/// How the price of one menu is split.
#[derive(Debug, Object)]
struct Composition {
    /// What the components cost alone, gross.
    list_price: Money,
    /// In the order sent.
    components: Vec<CompositionShare>,
    /// The VAT in one menu by rate, highest first.
    vats: Vec<CompositionVat>,
    /// The same of what is eaten here.
    sit_in_vats: Vec<CompositionVat>,
}

/// The part of one component, all of its pieces together.
#[derive(Debug, Object)]
struct CompositionShare {
    subproduct_id: Id<Subproducts>,
    /// As it is ordered by itself.
    name: String,
    pieces: i32,
    /// What these pieces cost alone, gross.
    list_price: Money,
    /// How much of the menu's price is theirs, gross.
    price: Money,
    vat_percent: Percent,
    /// Eaten here.
    sit_in_vat_percent: Percent,
    /// Bottles and cans with a deposit in these pieces.
    deposit_pieces: i32,
    /// Guests can have it by itself: neither it nor what is above it is switched off.
    active: bool,
    /// Pieces of the component that may still be sold; `null`: nobody counts.
    sellable_quantity: Option<i32>,
}

/// VAT at one rate.
#[derive(Debug, Object)]
struct CompositionVat {
    percent: Percent,
    net: Money,
    vat: Money,
    gross: Money,
}

impl From<VatSum> for CompositionVat {
    fn from(VatSum { percent, net, vat, gross }: VatSum) -> Self {
        Self { percent, net, vat, gross }
    }
}

pub(crate) struct Compositions;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/menu-composition",
    tag = "Tag::Catalogue"
)]
impl Compositions {
    /// How the price of a menu would be split over its components, as an order splits it. Saves nothing.
    #[oai(path = "/", method = "post", operation_id = "menu_composition_try")]
    async fn try_out(
        &self, scope: In<Restaurant, perm::Order>, body: Body<CompositionDraft>,
    ) -> Result<Json<Composition>> {
        let tx = scope.begin().await?;
        let draft = body.into_inner();
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let ids: Vec<_> = draft.components.iter().map(|row| row.subproduct_id.uuid()).collect();
        let sizes = KnownSizes::load(&tx, scope.restaurant(), ids.clone()).await?;
        let faults = (0..ids.len()).filter_map(|at| {
            let fault = sizes.fault(draft.id.map(Id::uuid), &draft.components, at)?;
            Some((format!("components.{at}.subproduct_id"), fault))
        });
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        let wanted = SnapshotRequest { subproducts: &ids, ..SnapshotRequest::default() };
        let known = snapshot(&tx, scope.restaurant(), facts.catalogue_version, wanted).await?;
        let components: Vec<Component> = draft
            .components
            .iter()
            .map(|row| Component { subproduct_id: row.subproduct_id.uuid(), pieces: pieces(row.pieces) })
            .collect();
        let split =
            |here| pricing::composition(&known.catalogue, draft.price.0, &components, here, facts.currency);
        let ((shares, vats), (shares_here, sit_in_vats)) = (split(false), split(true));
        let rows: Vec<CompositionShare> = shares
            .into_iter()
            .zip(shares_here)
            .filter_map(|(share, here)| {
                let item = known.catalogue.items.get(&share.subproduct_id)?;
                let name = known.item_names.get(&share.subproduct_id)?.ordered().0;
                Some(CompositionShare {
                    subproduct_id: Id::from_uuid(share.subproduct_id),
                    name,
                    pieces: share.pieces.into(),
                    list_price: share.list_price,
                    price: share.price,
                    vat_percent: share.vat,
                    sit_in_vat_percent: here.vat,
                    deposit_pieces: i32::from(item.deposit_pieces) * i32::from(share.pieces),
                    active: item.active,
                    sellable_quantity: item.sellable_quantity,
                })
            })
            .collect();
        Ok(Json(Composition {
            list_price: rows.iter().map(|row| row.list_price).sum(),
            components: rows,
            vats: vats.into_iter().map(Into::into).collect(),
            sit_in_vats: sit_in_vats.into_iter().map(Into::into).collect(),
        }))
    }
}

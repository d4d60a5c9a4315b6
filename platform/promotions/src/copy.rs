//! Copying a promotion.

use access::prelude::*;

use crate::{
    api::{Here, Saving, find, names_at, written},
    entity::{Discounts, Entity},
    rules::Faults,
    store::{self, Places},
    types::Discount,
};

const NAME_LENGTH: usize = 100;

/// What a copy has of its own.
#[derive(Debug, Object)]
struct DiscountCopy {
    /// The name of the original with a word behind it when absent.
    #[oai(validator(min_length = 1, max_length = 100))]
    name: Option<String>,
    /// A coupon needs one.
    #[oai(validator(max_length = 50))]
    code: Option<String>,
}

/// A name with a word behind it that no other has, cut so that it fits.
fn copy_name(name: &str, taken: &[String]) -> String {
    let word = if kernel::request::hungarian() { "másolat" } else { "copy" };
    let with = |suffix: String| {
        let room = NAME_LENGTH - suffix.chars().count();
        let cut: String = name.chars().take(room).collect();
        format!("{}{suffix}", cut.trim_end())
    };
    let first = std::iter::once(format!(" ({word})"));
    let mut names = first.chain((2..1_000).map(|number| format!(" ({word} {number})"))).map(with);
    names.find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned())
}

/// A type of its own: operations of one resource stand in several files.
pub(crate) struct DiscountCopies;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl DiscountCopies {
    /// Copies a promotion; the copy is switched off.
    ///
    /// A promotion that the caller cannot change is copied for this restaurant alone. Named customers and codes
    /// of a series are not copied.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/copy", method = "post", operation_id = "discounts_copy")]
    async fn copy(
        &self, scope: Here, id: Path<Id<Discounts>>, key: IdempotencyKey, body: Body<DiscountCopy>,
    ) -> Result<Stored<Discount>> {
        let (DiscountCopy { name, code }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            store::lock(&tx).await?;
            let original = find(&rows, *id).await?;
            let places = Places::of(&tx, scope.caller()).await?;
            let mut model = original.clone();
            model.id = Id::new();
            model.active = false;
            model.version = 1;
            model.created_at = Timestamp::now();
            model.code = code;
            model.name = match name {
                Some(name) => name,
                None => copy_name(&original.name, &names_at(&tx, scope.restaurant()).await?),
            };
            if !places.may_edit(model.restaurant_ids.as_deref(), scope.caller()) {
                model.restaurant_ids = Some(vec![scope.restaurant().uuid()]);
            }
            let saving = Saving { rows: &rows, places: &places, before: Some(&original), has_series: false };
            saving.check(&mut model, Faults::default()).await?;
            Ok(written(model))
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_a_name_of_its_own_that_fits() {
        assert_eq!(copy_name("Ebéd", &[]), "Ebéd (copy)");
        assert_eq!(copy_name("Ebéd", &["Ebéd (copy)".to_owned()]), "Ebéd (copy 2)");
        let long = copy_name(&"é".repeat(100), &[]);
        assert_eq!(long.chars().count(), NAME_LENGTH);
        assert!(long.ends_with(" (copy)"));
    }
}

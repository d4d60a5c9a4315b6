//! Opening a restaurant: the usual settings, or those of another one.

use access::{domain::Domains, prelude::*};

use super::{
    entity::{ActiveModel, Model},
    language::MenuLanguage,
    rules::Checks,
    store,
    types::NewRestaurant,
};
use crate::copy;

/// Time zone and languages with which a restaurant begins.
struct Start {
    timezone: Option<String>,
    primary_language: MenuLanguage,
    secondary_language: Option<MenuLanguage>,
}

impl Start {
    /// What is sent, else as in the other restaurant. A copy takes over each by itself. Another new
    /// restaurant takes the second language only together with the first: two languages of a menu differ.
    fn of(new: &NewRestaurant, copied: bool, other: Option<&store::Usual>) -> Self {
        let (primary, secondary) = other
            .map_or((MenuLanguage::Hu, None), |other| (other.primary_language, other.secondary_language));
        let takes_second = copied || new.primary_language.is_none();
        Self {
            timezone: new.timezone.clone().or_else(|| other.map(|other| other.timezone.clone())),
            primary_language: new.primary_language.unwrap_or(primary),
            secondary_language: new.secondary_language.or(secondary.filter(|_| takes_second)),
        }
    }
}

/// Writes the new restaurant: what is not sent is the original's, or as in the partner's first restaurant, or
/// the table's default; the currency is the group's.
/// Errors: `VALIDATION_FAILED` with every field at fault; what the database says.
pub(super) async fn create(tx: &TenantTx, domains: Domains, new: NewRestaurant) -> Result<Model> {
    let mut checks = Checks::new();
    checks.timezone(new.timezone.as_deref());
    let original = match new.copy_from {
        // Locked, because whoever changes its menu needs the same row: a copy is of one moment.
        Some(id) => store::lock(tx, id).await.ok(),
        None => None,
    };
    if new.copy_from.is_some() && original.is_none() {
        checks.fault("copy_from", Fault::NotExist);
    }
    let usual = match &original {
        Some(original) => Some(store::Usual::from(original)),
        None => store::first(tx).await?,
    };
    let start = Start::of(&new, original.is_some(), usual.as_ref());
    checks.languages(start.primary_language, start.secondary_language);
    let group = new.restaurant_group_id.or(original.as_ref().map(|original| original.restaurant_group_id));
    let group = store::group(tx, group).await?;
    let currency =
        original.as_ref().map(|original| original.currency).or(group.as_ref().map(|group| group.currency));
    if new.currency.is_some_and(|sent| Some(sent) != currency) {
        checks.fault("currency", Fault::Invalid);
    }
    let group = match group {
        Some(group) => {
            // A copy beside its original is no worse than that.
            let beside = original.as_ref().is_some_and(|original| original.restaurant_group_id == group.id);
            if currency != Some(group.currency) && !beside {
                checks.fault("restaurant_group_id", Fault::Invalid);
            }
            Some(group.id)
        }
        None => {
            checks.fault("restaurant_group_id", Fault::NotExist);
            None
        }
    };
    checks.done()?;
    write(tx, domains, new, (original, start), (group, currency)).await
}

/// Writes the row and what belongs to it, which a copy takes over.
async fn write(
    tx: &TenantTx, domains: Domains, new: NewRestaurant, (original, start): (Option<Model>, Start),
    (restaurant_group_id, currency): (Option<Id<kernel::Group>>, Option<kernel::money::Currency>),
) -> Result<Model> {
    let NewRestaurant {
        name,
        copy_from,
        phone_1,
        contact_email,
        domain,
        country,
        postcode,
        city,
        street,
        premise_number,
        ..
    } = new;
    let Start { timezone, primary_language, secondary_language } = start;
    let (contact_email, domain) = (contact_email.map(String::from), domain.map(String::from));
    let mut row = original.map_or_else(ActiveModel::new, store::copied);
    row.id = Set(Id::new());
    fill!(row: name, primary_language, secondary_language);
    apply!(row: restaurant_group_id, timezone, currency, country, city, street, premise_number);
    apply!(row: phone_1, contact_email, domain, postcode);
    let row = store::create(tx, row).await?;
    store::save_directory(tx, &row).await?;
    if let Some(original) = copy_from {
        copy::copy(tx, domains, original, row.id).await?;
    }
    Ok(row)
}

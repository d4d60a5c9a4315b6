//! From rows to the preview of one channel at one instant. Pure. What guests see is decided by the code of the
//! menu, what can be ordered by that of orders.

use kernel::{Id, time::Timestamp};
use pricing::{Cart, Catalogue, Config, Item, OnSale, Platform, Tips, on_sale, order_reasons};

use super::{
    causes::{Place, Trace, of_order},
    types::{
        MenuPreview, MenuPreviewCategory, MenuPreviewItemOption, MenuPreviewOption, MenuPreviewOptionGroup,
        MenuPreviewProduct, MenuPreviewSubproduct,
    },
};
use crate::{
    menu::{
        builder::{Builder, View, product_part, restaurant},
        index::Index,
        rows::{CategoryRow, ProductRow, SubproductRow},
        store::{GonePart, Rows},
        types::MenuChannel,
    },
    order_config,
    price::SalePrice,
    resolve,
};

/// For which order the menu is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub channel: MenuChannel,
    /// At the till: taken away. In the web shop and on the phone: fetched, not brought.
    pub pickup: bool,
    /// The moment of ordering; it is wanted as soon as possible.
    pub at: Timestamp,
}

impl Asked {
    /// An order of this channel, with nothing in it.
    pub(crate) fn cart(self) -> Cart {
        let platform = match self.channel {
            MenuChannel::Online => Platform::Browser,
            MenuChannel::Phone => Platform::Phone,
            MenuChannel::SitIn if self.pickup => Platform::TakeAway,
            MenuChannel::SitIn => Platform::SitIn,
            MenuChannel::KioskSitIn => Platform::KioskSitIn,
            MenuChannel::KioskTakeAway => Platform::KioskTakeAway,
        };
        Cart {
            platform,
            pickup: self.pickup,
            table: None,
            expected_at: None,
            items: Vec::new(),
            tips: Tips::default(),
            coupon_code: None,
            gift_choices: Vec::new(),
            staff_discount: None,
            customer: None,
            by_points: kernel::money::Money::ZERO,
        }
    }

    /// Whether staff take such an order: hours and preorder rules do not bind them.
    fn is_taken_by_staff(self) -> bool {
        matches!(self.channel, MenuChannel::Phone | MenuChannel::SitIn)
    }
}

/// The preview; `gone`: archived sizes that something refers to.
pub(crate) fn preview(rows: &Rows, gone: &[GonePart], asked: Asked) -> MenuPreview {
    let view = View::new(asked.channel, asked.pickup);
    let index = Index::new(rows, gone);
    let mut builder = Builder::new(rows, view, asked.at);
    builder.read_sizes();
    let catalogue = catalogue(rows, &index, &builder);
    let config = order_config(&rows.facts, asked.is_taken_by_staff(), false, asked.at);
    let cart = asked.cart();
    let reasons = of_order(&order_reasons(&cart, &config));
    let trace = Trace {
        index: &index,
        catalogue: &catalogue,
        channel: asked.channel.into(),
        at: asked.at,
        zone: rows.facts.schedule.zone,
    };
    // Asked about each size: hours, minimum and place are about the whole order, and were asked once.
    let config = Config { staff: true, delivery_override: true, ..config };
    let mut preview = Preview { builder, trace, cart, config, options: Vec::new() };
    let top = rows.categories.iter().filter(|category| category.parent_id.is_none());
    let categories = top.map(|row| preview.category(row, None)).collect();
    preview.options.sort_unstable();
    preview.options.dedup();
    let linked = |group: &&crate::option_groups::entity::Model| {
        preview.options.binary_search(&group.id.uuid()).is_ok()
    };
    MenuPreview {
        at: asked.at,
        channel: asked.channel,
        here: view.here,
        restaurant: restaurant(&rows.facts, view, asked.at),
        reasons,
        categories,
        option_groups: rows.groups.iter().filter(linked).map(|group| preview.group(group)).collect(),
    }
}

/// The same for whoever looks at no channel in particular; VAT and prices do not count.
pub(crate) fn preview_catalogue(rows: &Rows, index: &Index<'_>, at: Timestamp) -> Catalogue {
    catalogue(rows, index, &Builder::new(rows, View::new(MenuChannel::Online, false), at))
}

/// What an order would be priced by: every size, and every group.
fn catalogue(rows: &Rows, index: &Index<'_>, builder: &Builder<'_>) -> Catalogue {
    let mut items = std::collections::HashMap::with_capacity(rows.subproducts.len());
    for row in &rows.subproducts {
        if let Some((product, category, parent)) = index.levels(row) {
            let item = builder.item(row, &product_part(product), [Some(category), parent]);
            items.insert(row.id.uuid(), item);
        }
    }
    items.extend(index.gone.values().map(|part| (part.id, part.item())));
    let groups = rows.groups.iter().map(|row| {
        let options = index.options_of.get(&row.id.uuid()).into_iter().flatten().map(|option| {
            resolve::item_option(resolve::OptionOf {
                id: option.id.uuid(),
                price: SalePrice::shown(option.price, rows.defaults.currency),
                size: option.subproduct_id.map(|id| (id, option.subproduct_pieces)),
                active: option.active,
                visible: [option.visible(), row.visible()],
            })
        });
        let limits = (row.min_no_options, row.max_no_options);
        (row.id.uuid(), resolve::option_group(row.active, row.visible(), limits, options.collect()))
    });
    Catalogue { items, option_groups: groups.collect() }
}

struct Preview<'a> {
    builder: Builder<'a>,
    trace: Trace<'a>,
    cart: Cart,
    config: Config,
    /// Groups that sizes have.
    options: Vec<uuid::Uuid>,
}

impl<'a> Preview<'a> {
    fn category(&mut self, row: &'a CategoryRow, parent: Option<&'a CategoryRow>) -> MenuPreviewCategory {
        let children = self.builder.children.remove(&row.id.uuid()).unwrap_or_default();
        let children: Vec<_> = children.into_iter().map(|child| self.category(child, Some(row))).collect();
        let products = self.builder.products.remove(&row.id.uuid()).unwrap_or_default();
        let products: Vec<_> =
            products.into_iter().map(|product| self.product(product, row, parent)).collect();
        MenuPreviewCategory {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            image_web: self.builder.picture(row.image_web_id),
            // As in the menu: whatever is below it is shown only when it is active.
            shown: row.active
                && (children.iter().any(|child| child.shown) || products.iter().any(|one| one.shown)),
            children,
            products,
        }
    }

    fn product(
        &mut self, row: &'a ProductRow, category: &'a CategoryRow, parent: Option<&'a CategoryRow>,
    ) -> MenuPreviewProduct {
        let sizes = self.builder.subproducts.remove(&row.id.uuid()).unwrap_or_default();
        let subproducts: Vec<_> = sizes
            .into_iter()
            .filter_map(|size| self.size(Place { size, product: row, category, parent }))
            .collect();
        MenuPreviewProduct {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            image: self.builder.picture(row.image_id),
            shown: subproducts.iter().any(|size| size.shown),
            subproducts,
        }
    }

    fn size(&mut self, place: Place<'a>) -> Option<MenuPreviewSubproduct> {
        let row: &SubproductRow = place.size;
        let id = row.id.uuid();
        let item: Item = self.trace.catalogue.items.get(&id)?.clone();
        let found = on_sale(self.trace.catalogue, id, &self.cart, &self.config);
        self.options.extend(&item.option_group_ids);
        let shown = self.builder.is_shown(&item);
        let mut size = self.builder.subproduct(row, item);
        size.lay(|id| self.trace.catalogue.items.get(&id).and_then(|item| item.sellable_quantity));
        let OnSale { item: tried, .. } = &found;
        let item_options = tried.options.iter().map(|option| MenuPreviewItemOption {
            option_id: option.option_id,
            quantity: option.quantity.into(),
        });
        Some(MenuPreviewSubproduct {
            size,
            shown,
            on_sale: found.reasons.is_empty() && !found.deposit_unknown,
            item_options: item_options.collect(),
            reasons: self.trace.of_size(place, &found),
        })
    }

    fn group(&self, row: &crate::option_groups::entity::Model) -> MenuPreviewOptionGroup {
        let channel = self.trace.channel;
        let priced = self.trace.catalogue.option_groups.get(&row.id.uuid());
        let group_shown = priced.is_some_and(|group| group.is_offered(channel));
        let rows = self.trace.index.options_of.get(&row.id.uuid()).into_iter().flatten();
        let options =
            rows.zip(priced.into_iter().flat_map(|group| &group.options)).map(|(option, priced)| {
                let reasons = self.trace.of_option(option, row, priced);
                MenuPreviewOption {
                    id: option.id,
                    name: option.name.clone(),
                    name_sec_lang: option.name_sec_lang.clone(),
                    price: SalePrice(priced.price),
                    shown: group_shown && priced.is_offered(channel),
                    on_sale: reasons.is_empty(),
                    reasons,
                }
            });
        MenuPreviewOptionGroup {
            id: Id::from_uuid(row.id.uuid()),
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            r#type: row.r#type,
            min_no_options: row.min_no_options,
            max_no_options: row.max_no_options,
            shown: group_shown,
            options: options.collect(),
        }
    }
}

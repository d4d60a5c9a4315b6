//! The fields that rows of the menu may inherit, shared by the API types of all levels. `null` means
//! inherited.

use poem_openapi::Object;

use kernel::{
    Clearable, Id,
    ids::{NtakCategories, Vats},
    setting::NtakQuantityUnit,
};

/// Own visibility per channel; `null` is inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Object)]
pub(crate) struct Visible {
    /// Web shop, apps, messenger and delivery platforms; `null` is inherited.
    pub visible_online: Option<bool>,
    /// Tables and till; `null` is inherited.
    pub visible_sit_in: Option<bool>,
    /// Orders taken by phone; `null` is inherited.
    pub visible_phone: Option<bool>,
    /// Kiosk, eaten here; `null` is inherited.
    pub visible_kiosk_sit_in: Option<bool>,
    /// Kiosk, taken away; `null` is inherited.
    pub visible_kiosk_take_away: Option<bool>,
}

/// The same in a change: absent stays, `null` inherits.
#[derive(Debug, Clone, Default, Object)]
pub(crate) struct VisibleChange {
    /// Web shop, apps, messenger and delivery platforms; `null` is inherited.
    pub visible_online: Clearable<bool>,
    /// Tables and till; `null` is inherited.
    pub visible_sit_in: Clearable<bool>,
    /// Orders taken by phone; `null` is inherited.
    pub visible_phone: Clearable<bool>,
    /// Kiosk, eaten here; `null` is inherited.
    pub visible_kiosk_sit_in: Clearable<bool>,
    /// Kiosk, taken away; `null` is inherited.
    pub visible_kiosk_take_away: Clearable<bool>,
}

/// What categories, products and sub-products may set themselves; `null` is inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Object)]
pub(crate) struct Inheritable {
    /// VAT of everything that is not eaten here; `null` is inherited.
    pub vat_id: Option<Id<Vats>>,
    /// VAT of what is eaten here; `null` is inherited.
    pub sit_in_vat_id: Option<Id<Vats>>,
    /// Whether the service fee is charged; `null` is inherited.
    pub has_tip: Option<bool>,
    #[oai(flatten)]
    pub visible: Visible,
}

/// The same in a change: absent stays, `null` inherits.
#[derive(Debug, Clone, Default, Object)]
pub(crate) struct InheritableChange {
    /// VAT of everything that is not eaten here; `null` is inherited.
    pub vat_id: Clearable<Id<Vats>>,
    /// VAT of what is eaten here; `null` is inherited.
    pub sit_in_vat_id: Clearable<Id<Vats>>,
    /// Whether the service fee is charged; `null` is inherited.
    pub has_tip: Clearable<bool>,
    #[oai(flatten)]
    pub visible: VisibleChange,
}

/// The category and unit of the tax report that a row sets itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Ntak {
    pub category: Option<Id<NtakCategories>>,
    pub unit: Option<NtakQuantityUnit>,
}

/// The own values of a row, from an entity with the usual columns.
macro_rules! visible_of {
    ($row:expr) => {
        $crate::flags::Visible {
            visible_online: $row.visible_online,
            visible_sit_in: $row.visible_sit_in,
            visible_phone: $row.visible_phone,
            visible_kiosk_sit_in: $row.visible_kiosk_sit_in,
            visible_kiosk_take_away: $row.visible_kiosk_take_away,
        }
    };
}

/// See [`visible_of`].
macro_rules! inheritable_of {
    ($row:expr) => {
        $crate::flags::Inheritable {
            vat_id: $row.vat_id,
            sit_in_vat_id: $row.sit_in_vat_id,
            has_tip: $row.has_tip,
            visible: $crate::flags::visible_of!($row),
        }
    };
}

/// Sets the columns of a new row.
macro_rules! set_visible {
    ($row:ident, $visible:expr) => {{
        let $crate::flags::Visible {
            visible_online,
            visible_sit_in,
            visible_phone,
            visible_kiosk_sit_in,
            visible_kiosk_take_away,
        } = $visible;
        $row.visible_online = Set(visible_online);
        $row.visible_sit_in = Set(visible_sit_in);
        $row.visible_phone = Set(visible_phone);
        $row.visible_kiosk_sit_in = Set(visible_kiosk_sit_in);
        $row.visible_kiosk_take_away = Set(visible_kiosk_take_away);
    }};
}

/// Sets the columns of a new row.
macro_rules! set_inheritable {
    ($row:ident, $own:expr) => {{
        let $crate::flags::Inheritable { vat_id, sit_in_vat_id, has_tip, visible } = $own;
        $row.vat_id = Set(vat_id);
        $row.sit_in_vat_id = Set(sit_in_vat_id);
        $row.has_tip = Set(has_tip);
        $crate::flags::set_visible!($row, visible);
    }};
}

/// Applies a change to the columns of a row.
macro_rules! apply_visible {
    ($row:ident, $change:expr) => {{
        let $crate::flags::VisibleChange { visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away } = $change;
        access::apply!($row: visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away);
    }};
}

/// Applies a change to the columns of a row.
macro_rules! apply_inheritable {
    ($row:ident, $change:expr) => {{
        let $crate::flags::InheritableChange { vat_id, sit_in_vat_id, has_tip, visible } = $change;
        access::apply!($row: vat_id, sit_in_vat_id, has_tip);
        $crate::flags::apply_visible!($row, visible);
    }};
}

pub(crate) use {apply_inheritable, apply_visible, inheritable_of, set_inheritable, set_visible, visible_of};

//! The columns of exports: headings in both languages, and the content of cells.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use kernel::{
    Id, Restaurant,
    money::{Currency, Money},
};
use orders::OrderFilter;
use rust_decimal::Decimal;
use sea_orm::{DbErr, QueryResult};
use sheets::{Cell, Column};

use super::{
    file::ExportFormat,
    form::{ExportFilterType, ExportType},
};

#[derive(Debug)]
pub(crate) struct Export {
    pub restaurant: Id<Restaurant>,
    pub kind: ExportType,
    pub filter: ExportFilterType,
    /// Everything when it is empty.
    pub range: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// What is looked for in previous orders, where that is exported.
    pub list: OrderFilter,
    pub format: ExportFormat,
    pub zone: Tz,
    pub english: bool,
    /// Whether guests' names, phones, addresses and messages stand in it.
    pub guests: bool,
}

/// How a column's cell is read, and from which column of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text(&'static str),
    Number(&'static str),
    /// In the currency of the row.
    Amount(&'static str),
    Instant(&'static str),
    Day(&'static str),
    Flag(&'static str),
    /// The state of an order, in words.
    Status,
    /// The name of the payment method, in the language of the export.
    Payment,
}
use Kind::{Amount, Day, Flag, Instant, Number, Text};

impl Kind {
    /// Whether a guest may be known by it. An id that a shop gave may be made of a name.
    fn is_personal(self) -> bool {
        matches!(
            self,
            Text(
                "last_name"
                    | "first_name"
                    | "email"
                    | "phone_1"
                    | "postcode"
                    | "city"
                    | "address"
                    | "message"
                    | "external_id"
            )
        )
    }
}

/// A column of a sheet: headings in both languages, width in characters, what stands in it.
pub(crate) type Heading = (&'static str, &'static str, f64, Kind);

const COUNTER: Heading = ("Sorszám", "Number", 10.0, Text("counter"));
const BUSINESS_DAY: Heading = ("Üzleti nap", "Business day", 12.0, Day("business_day"));
const ORDERED: Heading = ("Rendelve", "Ordered", 17.0, Instant("created_at"));
const STATUS: Heading = ("Állapot", "Status", 12.0, Kind::Status);
const ARCHIVED: Heading = ("Törölve", "Archived", 17.0, Instant("archived_at"));
const PLATFORM: Heading = ("Csatorna", "Channel", 12.0, Text("platform"));
const LAST_NAME: Heading = ("Vezetéknév", "Last name", 16.0, Text("last_name"));
const FIRST_NAME: Heading = ("Keresztnév", "First name", 16.0, Text("first_name"));
const PHONE: Heading = ("Telefon", "Phone", 18.0, Text("phone_1"));
const POSTCODE: Heading = ("Irányítószám", "Postcode", 12.0, Text("postcode"));
const CITY: Heading = ("Város", "City", 16.0, Text("city"));
const ADDRESS: Heading = ("Cím", "Address", 28.0, Text("address"));
const CURRENCY: Heading = ("Pénznem", "Currency", 10.0, Text("currency"));
const MESSAGE: Heading = ("Megjegyzés", "Message", 30.0, Text("message"));

const ORDERS: &[Heading] = &[
    COUNTER,
    BUSINESS_DAY,
    ORDERED,
    ("Várható", "Expected", 17.0, Instant("expected_at")),
    ("Elfogadva", "Accepted", 17.0, Instant("accepted_at")),
    STATUS,
    ARCHIVED,
    ("Törlés oka", "Reason", 18.0, Text("reason")),
    PLATFORM,
    ("Elvitel", "Pickup", 8.0, Flag("pickup")),
    ("Előrendelés", "Preorder", 12.0, Flag("is_preorder")),
    LAST_NAME,
    FIRST_NAME,
    ("E-mail", "E-mail", 26.0, Text("email")),
    PHONE,
    POSTCODE,
    CITY,
    ADDRESS,
    ("Asztal", "Table", 10.0, Text("table_name")),
    ("Fizetési mód", "Payment method", 18.0, Kind::Payment),
    ("Kupon", "Coupon", 14.0, Text("coupon_code")),
    CURRENCY,
    ("Listaáron", "At list price", 12.0, Amount("original_price")),
    ("Kedvezmény", "Discount", 12.0, Amount("discount_price")),
    ("Termékek", "Products", 12.0, Amount("products_price")),
    ("Szállítás", "Delivery", 12.0, Amount("delivery_price")),
    ("Szervizdíj", "Service fee", 12.0, Amount("service_fee")),
    ("Betétdíj", "Deposit", 12.0, Amount("deposit")),
    ("Borravaló", "Tip", 12.0, Amount("tip")),
    ("Felszolgáló borravalója", "Waiter's tip", 14.0, Amount("employee_tip")),
    ("Futár borravalója", "Courier's tip", 14.0, Amount("courier_tip")),
    ("Rendszerhasználati díj", "System usage fee", 14.0, Amount("system_usage_fee")),
    ("Végösszeg", "Total", 12.0, Amount("total_price")),
    MESSAGE,
    ("Külső azonosító", "External id", 20.0, Text("external_id")),
];
/// What the rows of a filter have besides; columns of VAT and of payments follow.
const MORE_OF_ORDERS: &[Heading] = &[
    ("Részsztornója ennek", "Partial storno of", 16.0, Text("storno_of")),
    ("Lezárva", "Closed", 17.0, Instant("closed_at")),
    ("Felszolgáló", "Waiter", 18.0, Text("admin_name")),
];
const ITEMS: &[Heading] = &[
    COUNTER,
    BUSINESS_DAY,
    ORDERED,
    STATUS,
    ARCHIVED,
    PLATFORM,
    ("Termék", "Product", 28.0, Text("product_name")),
    ("Méret", "Size", 18.0, Text("subproduct_name")),
    ("Opciók", "Options", 36.0, Text("options")),
    ("Mennyiség", "Quantity", 10.0, Number("quantity")),
    ("Egységár", "Unit price", 12.0, Amount("unit_price")),
    ("Összesen", "Total", 12.0, Amount("total_price")),
    ("Kedvezmény", "Discount", 12.0, Amount("discount")),
    ("Fizetett", "Paid", 12.0, Amount("paid_price")),
    ("Áfa %", "VAT %", 8.0, Number("vat_percent")),
    ("Nettó", "Net", 12.0, Amount("net_price")),
    ("Áfa", "VAT", 12.0, Amount("vat_price")),
    ("Szervizdíj", "Service fee", 12.0, Amount("service_fee")),
    ("Betétdíj", "Deposit", 12.0, Amount("deposit")),
    ("Ajándék", "Gift", 8.0, Flag("gift")),
    CURRENCY,
    MESSAGE,
];
const GUESTS: &[Heading] = &[
    LAST_NAME,
    FIRST_NAME,
    ("E-mail", "E-mail", 28.0, Text("email")),
    PHONE,
    POSTCODE,
    CITY,
    ADDRESS,
    ("Első rendelés", "First order", 17.0, Instant("first_at")),
    ("Utolsó rendelés", "Last order", 17.0, Instant("last_at")),
    ("Rendelések", "Orders", 12.0, Number("orders")),
    ("Összesen", "Total", 14.0, Amount("total")),
    CURRENCY,
];

impl Export {
    pub(crate) fn title(&self) -> &'static str {
        match (self.kind, self.english) {
            (ExportType::OrderExport | ExportType::OrderListExport, false) => "Rendelések",
            (ExportType::OrderExport | ExportType::OrderListExport, true) => "Orders",
            (ExportType::OrderItemExport, false) => "Tételek",
            (ExportType::OrderItemExport, true) => "Items",
            (ExportType::ShadowCustomerExport, false) => "Vendégek",
            (ExportType::ShadowCustomerExport, true) => "Guests",
        }
    }

    /// The columns whose headings are known beforehand.
    fn headings(&self) -> impl Iterator<Item = &'static Heading> {
        let (first, more): (&'static [Heading], &'static [Heading]) = match self.kind {
            ExportType::OrderExport => (ORDERS, &[]),
            ExportType::OrderItemExport => (ITEMS, &[]),
            ExportType::ShadowCustomerExport => (GUESTS, &[]),
            ExportType::OrderListExport => (ORDERS, MORE_OF_ORDERS),
        };
        let guests = self.guests;
        first.iter().chain(more).filter(move |(.., kind)| guests || !kind.is_personal())
    }

    pub(crate) fn columns(&self) -> Vec<Column> {
        self.headings().map(|(hu, en, width, _)| (self.word(hu, en).into(), *width)).collect()
    }

    pub(crate) fn cells(&self, row: &QueryResult) -> Result<Vec<Cell>, DbErr> {
        self.headings().map(|(.., kind)| self.cell(row, *kind)).collect()
    }

    /// The one of two words that is of the export's language.
    pub(crate) fn word(&self, hu: &'static str, en: &'static str) -> &'static str {
        if self.english { en } else { hu }
    }

    /// Read by hand: which columns there are is data (`headings`), so no type can name them.
    fn cell(&self, row: &QueryResult, kind: Kind) -> Result<Cell, DbErr> {
        let text = |column| row.try_get::<Option<String>>("", column).map(Cell::from);
        Ok(match kind {
            Text(column) => text(column)?,
            Number(column) => row.try_get::<Option<Decimal>>("", column)?.into(),
            Amount(column) => {
                let currency: Currency = row.try_get("", "currency")?;
                let amount: Option<Money> = row.try_get("", column)?;
                amount.map_or(Cell::Empty, |amount| Cell::Money(amount, currency))
            }
            Instant(column) => {
                let at: Option<DateTime<Utc>> = row.try_get("", column)?;
                at.map(|at| at.with_timezone(&self.zone).naive_local()).into()
            }
            Day(column) => row.try_get::<Option<NaiveDate>>("", column)?.into(),
            Flag(column) => {
                let (hu, en) = if row.try_get("", column)? { ("igen", "yes") } else { ("nem", "no") };
                Cell::Text(self.word(hu, en).to_owned())
            }
            Kind::Status => {
                Cell::Text(status(&row.try_get::<String>("", "status")?, self.english).to_owned())
            }
            Kind::Payment => text(if self.english { "payment_name_en" } else { "payment_name" })?,
        })
    }
}

/// The state of an order in words.
fn status(word: &str, english: bool) -> &'static str {
    let (hungarian, in_english) = match word {
        "received" => ("fizetésre vár", "waits for payment"),
        "succeeded" => ("új", "new"),
        "processed" => ("elfogadva", "accepted"),
        "canceled" => ("visszavonva", "cancelled"),
        "expired" => ("lejárt", "expired"),
        "failed" => ("sikertelen", "failed"),
        _ => ("elkészült", "prepared"),
    };
    if english { in_english } else { hungarian }
}

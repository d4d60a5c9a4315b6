//! The fields that columns can hold, with their headings.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::{fold::fold, prices};

/// What a column of a menu can be.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Enum,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuImportField {
    ParentCategory,
    Category,
    CategorySecLang,
    Name,
    NameSecLang,
    Description,
    DescriptionSecLang,
    /// A size or variant: rows of one name are one product with several sub-products.
    Subproduct,
    Price,
    /// The price of one size, which the column names (`size`); the only field that several columns may hold.
    SizePrice,
    Vat,
    SitInVat,
    Allergens,
    EanCode,
    Active,
    /// Category of the tax report (NTAK), by its words (`ETEL/LEVES`) or names; the sub-category alone where one
    /// main category has it.
    NtakCategory,
    NtakQuantityUnit,
    /// How much one piece is in that unit.
    NtakQuantity,
    /// Bottles and cans with a deposit in one piece.
    DepositPieces,
    /// The sizes that it consists of: `Húsleves; 2 × Kóla 0,5 l`.
    Components,
    /// Names of option groups, of the menu or of the sheet with the options.
    OptionGroups,
    /// In the sheet with the options, like those that follow: the group.
    OptionGroup,
    OptionGroupSecLang,
    /// How many options of the group one piece takes.
    OptionType,
    /// Whether one has to be taken: yes or no.
    OptionRequired,
    MinNoOptions,
    MaxNoOptions,
    Option,
    OptionSecLang,
    /// The size that an option stands for.
    StandsFor,
}

impl MenuImportField {
    /// The name on the wire.
    pub(crate) const fn key(self) -> &'static str {
        self.into_str()
    }

    /// Headings that mean it, folded; the first one of the Hungarian and of the English ones stands in the
    /// template.
    pub(super) fn headings(self) -> &'static [&'static str] {
        HEADINGS.iter().find(|(field, _)| *field == self).map_or(&[], |(_, headings)| headings)
    }

    /// Headings of extra prices, beside those of prices.
    const SURCHARGES: [&str; 4] = ["felar", "surcharge", "extra price", "extra ar"];

    /// Whether a column of a menu can hold it.
    pub(crate) fn is_of_menu(self) -> bool {
        self == Self::SizePrice || Self::MENU.contains(&self)
    }

    /// Whether a column of the sheet with the options can hold it.
    pub(crate) fn is_of_options(self) -> bool {
        Self::OPTIONS.contains(&self)
    }

    /// The columns of a menu that are recognised by their headings; prices of sizes are beside them.
    pub(crate) const MENU: [Self; 20] = [
        Self::ParentCategory,
        Self::Category,
        Self::CategorySecLang,
        Self::Name,
        Self::NameSecLang,
        Self::Description,
        Self::DescriptionSecLang,
        Self::Subproduct,
        Self::Price,
        Self::Vat,
        Self::SitInVat,
        Self::Allergens,
        Self::OptionGroups,
        Self::EanCode,
        Self::Active,
        Self::NtakCategory,
        Self::NtakQuantityUnit,
        Self::NtakQuantity,
        Self::DepositPieces,
        Self::Components,
    ];

    /// The columns of the sheet with the options.
    pub(crate) const OPTIONS: [Self; 12] = [
        Self::OptionGroup,
        Self::OptionGroupSecLang,
        Self::OptionType,
        Self::OptionRequired,
        Self::MinNoOptions,
        Self::MaxNoOptions,
        Self::Option,
        Self::OptionSecLang,
        Self::Price,
        Self::Allergens,
        Self::Active,
        Self::StandsFor,
    ];

    /// The field of a heading in a sheet with these columns.
    pub(super) fn of(heading: &str, among: &[Self]) -> Option<Self> {
        let heading = fold(heading);
        let heading = heading.trim_end_matches([':', '*', '.']).trim();
        let surcharge = |field: Self| {
            field == Self::Price && among.contains(&Self::Option) && Self::SURCHARGES.contains(&heading)
        };
        // What the restaurant pays, or a price without tax, is none by itself.
        let price = || prices::of_heading(heading).is_some_and(|kind| kind != prices::Price::Other);
        let means = |field: &Self| {
            field.key() == heading
                || field.headings().contains(&heading)
                || surcharge(*field)
                || *field == Self::Price && price()
        };
        among.iter().copied().find(means)
    }
}

/// The headings of each field.
const HEADINGS: [(MenuImportField, &[&str]); 29] = [
    (
        MenuImportField::ParentCategory,
        &[
            "fokategoria", "felso kategoria", "szulo kategoria", "parent category", "main category",
            "menu section",
        ],
    ),
    (
        MenuImportField::Category,
        &[
            "kategoria", "category", "alkategoria", "subcategory", "csoport", "termekcsoport",
            "kategoria neve", "kategoria nev", "fejezet", "tipus", "group", "section", "category name",
            "etelcsoport", "besorolas", "product category", "termekkategoria", "kategoriak", "categories",
            "reporting category",
        ],
    ),
    (
        MenuImportField::CategorySecLang,
        &[
            "kategoria angolul", "category in english", "kategoria (angol)", "category (english)",
            "category en", "category_sec_lang",
        ],
    ),
    (
        MenuImportField::Name,
        &[
            "nev", "name", "megnevezes", "termek", "termeknev", "termek neve", "etel", "etel neve",
            "etel megnevezese", "etelek", "ital neve", "termek megnevezese", "etel/ital", "etel / ital",
            "ital", "fogas", "cikk", "cikknev", "cikk megnevezese", "tetel", "product", "product name",
            "item", "item name", "dish", "title", "name hu", "nev (hu)", "magyar nev", "nev magyarul",
        ],
    ),
    (
        MenuImportField::NameSecLang,
        &[
            "nev angolul", "name in english", "angol nev", "nev (angol)", "nev (en)", "name (english)",
            "name en", "english name", "name_sec_lang", "masodik nyelv", "second language",
            "nev masodik nyelven",
        ],
    ),
    (
        MenuImportField::Description,
        &[
            "leiras", "description", "osszetevok", "ingredients", "rovid leiras", "megjegyzes", "note",
            "notes", "comment", "details", "reszletek", "hozzavalok", "mibol keszul", "mit tartalmaz",
            "alapanyagok", "tartalom", "leiras (hu)", "leiras magyarul",
        ],
    ),
    (
        MenuImportField::DescriptionSecLang,
        &[
            "leiras angolul", "description in english", "angol leiras", "leiras (angol)", "leiras (en)",
            "description (english)", "description en", "description_sec_lang",
        ],
    ),
    (
        MenuImportField::Subproduct,
        &[
            "meret",
            "size",
            "kiszereles",
            "adag",
            "valtozat",
            "altermek",
            "variant",
            "variation",
            "variation name",
            "variant name",
            "valtozat neve",
            "attribute 1 value(s)",
            "tulajdonsag 1 erteke(i)",
            "1. tulajdonsag erteke(i)",
            "attributum 1 erteke(i)",
            "portion",
            "subproduct",
            "mennyiseg",
            "urmertek",
            "meret/kiszereles",
        ],
    ),
    (
        MenuImportField::Price,
        // Others are known by `prices`, which compares what stands below them.
        &["ar", "price"],
    ),
    (
        MenuImportField::Vat,
        &[
            "afa", "vat", "afakulcs", "afa kulcs", "afa %", "afa (%)", "vat %", "vat rate", "tax", "vat (%)",
            "ado", "elviteles afa",
        ],
    ),
    (
        MenuImportField::SitInVat,
        &[
            "helyben afa", "sit-in vat", "afa helyben", "helyben fogyasztas afa", "sit in vat",
            "dine-in vat", "helyi afa", "sit_in_vat",
        ],
    ),
    (
        MenuImportField::Allergens,
        &["allergenek", "allergens", "allergen", "allergen anyagok", "allergen info"],
    ),
    (
        MenuImportField::EanCode,
        &[
            "vonalkod",
            "ean code",
            "ean",
            "ean kod",
            "barcode",
            "ean_code",
            "ean-kod",
            "gtin",
            "gtin, upc, ean, or isbn",
            "gtin, upc, ean vagy isbn",
        ],
    ),
    (
        MenuImportField::Active,
        &[
            "aktiv", "active", "elerheto", "available", "enabled", "kaphato", "lathato", "published",
            "kozzeteve",
        ],
    ),
    (
        MenuImportField::NtakCategory,
        &[
            "ntak-kategoria", "ntak category", "ntak kategoria", "ntak alkategoria", "ntak besorolas",
            "ntak-besorolas", "ntak", "ntak_category_id",
        ],
    ),
    (
        MenuImportField::NtakQuantityUnit,
        &[
            "ntak-egyseg", "ntak unit", "ntak egyseg", "ntak mennyisegi egyseg", "ntak-mennyisegi egyseg",
            "mennyisegi egyseg", "ntak quantity unit",
        ],
    ),
    (
        MenuImportField::NtakQuantity,
        &["ntak-mennyiseg", "ntak quantity", "ntak mennyiseg", "urtartalom", "volume"],
    ),
    (
        MenuImportField::DepositPieces,
        &["betetdijas darab", "deposit pieces", "betetdijas db", "betetdij (db)", "deposit_pieces"],
    ),
    (
        MenuImportField::Components,
        &["menu reszei", "consists of", "reszei", "menu tartalma", "components", "menu parts"],
    ),
    (
        MenuImportField::OptionGroups,
        &[
            "opciocsoportok", "option groups", "opciocsoport", "option group", "opciok", "options",
            "valaszthato", "valaszthato opciok", "feltetek", "extrak", "extras", "modifiers", "add-ons",
            "toppings",
        ],
    ),
    (
        MenuImportField::OptionGroup,
        &[
            "opciocsoport", "option group", "csoport", "group", "csoport neve", "group name",
            "opciocsoport neve", "modifier set", "modifier group", "feltetcsoport", "valaszto",
        ],
    ),
    (
        MenuImportField::OptionGroupSecLang,
        &[
            "opciocsoport angolul",
            "option group in english",
            "csoport angolul",
            "group in english",
            "opciocsoport (angol)",
        ],
    ),
    (
        MenuImportField::OptionType,
        &[
            "valaszthato", "choice", "tipus", "type", "valasztas", "hanyat lehet", "szabaly", "rule",
            "hany valaszthato", "hanyat valaszthat", "mennyi valaszthato", "valasztas modja", "selection",
            "selection type",
        ],
    ),
    (
        MenuImportField::OptionRequired,
        &[
            "kotelezo", "required", "mandatory", "kotelezo?", "required?", "is required",
            "kotelezo valasztani",
        ],
    ),
    (
        MenuImportField::MinNoOptions,
        &[
            "legalabb", "at least", "min", "minimum", "min db", "min. db", "minimum db", "min valaszthato",
            "min. valaszthato", "minimum valaszthato", "minimum selection", "min selection", "min select",
            "minimum selected", "legalabb (db)",
        ],
    ),
    (
        MenuImportField::MaxNoOptions,
        &[
            "legfeljebb", "at most", "max", "maximum", "max db", "max. db", "maximum db", "max valaszthato",
            "max. valaszthato", "maximum valaszthato", "maximum selection", "max selection", "max select",
            "maximum selected", "legfeljebb (db)",
        ],
    ),
    (
        MenuImportField::Option,
        &[
            "opcio", "option", "opcio neve", "option name", "feltet", "feltet neve", "topping", "extra",
            "modifier", "modifier name",
        ],
    ),
    (
        MenuImportField::OptionSecLang,
        &["opcio angolul", "option in english", "opcio (angol)", "option (english)"],
    ),
    (MenuImportField::StandsFor, &["melyik meret", "stands for", "termek merete", "stands_for"]),
];

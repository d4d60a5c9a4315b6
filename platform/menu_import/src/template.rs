//! The templates for download, made here and committed as files. `PULT_GOLDEN=write` writes them.

use kernel::money::Currency;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::{
    columns::{MenuImportField as Field, options, recognise},
    sheet,
};

type Column = (Field, &'static str, &'static str, f64);

const MENU: [Column; 23] = [
    (Field::ParentCategory, "Főkategória", "Parent category", 16.0),
    (Field::Category, "Kategória", "Category", 16.0),
    (Field::CategorySecLang, "Kategória angolul", "Category in English", 18.0),
    (Field::Name, "Név", "Name", 26.0),
    (Field::NameSecLang, "Név angolul", "Name in English", 24.0),
    (Field::Description, "Leírás", "Description", 40.0),
    (Field::DescriptionSecLang, "Leírás angolul", "Description in English", 40.0),
    (Field::Subproduct, "Méret", "Size", 12.0),
    (Field::Price, "Ár", "Price", 10.0),
    (Field::SizePrice, "30 cm", "30 cm", 10.0),
    (Field::SizePrice, "40 cm", "40 cm", 10.0),
    (Field::SizePrice, "50 cm", "50 cm", 10.0),
    (Field::Vat, "Áfa", "VAT", 8.0),
    (Field::SitInVat, "Helyben áfa", "Sit-in VAT", 12.0),
    (Field::Allergens, "Allergének", "Allergens", 22.0),
    (Field::OptionGroups, "Opciócsoportok", "Option groups", 20.0),
    (Field::EanCode, "Vonalkód", "EAN code", 16.0),
    (Field::Active, "Aktív", "Active", 8.0),
    (Field::NtakCategory, "NTAK-kategória", "NTAK category", 24.0),
    (Field::NtakQuantityUnit, "NTAK-egység", "NTAK unit", 12.0),
    (Field::NtakQuantity, "NTAK-mennyiség", "NTAK quantity", 14.0),
    (Field::DepositPieces, "Betétdíjas darab", "Deposit pieces", 16.0),
    (Field::Components, "Menü részei", "Consists of", 40.0),
];

const OPTIONS: [Column; 11] = [
    (Field::OptionGroup, "Opciócsoport", "Option group", 18.0),
    (Field::OptionGroupSecLang, "Opciócsoport angolul", "Option group in English", 22.0),
    (Field::OptionType, "Választható", "Choice", 14.0),
    (Field::MinNoOptions, "Legalább", "At least", 10.0),
    (Field::MaxNoOptions, "Legfeljebb", "At most", 10.0),
    (Field::Option, "Opció", "Option", 22.0),
    (Field::OptionSecLang, "Opció angolul", "Option in English", 22.0),
    (Field::Price, "Felár", "Surcharge", 10.0),
    (Field::Allergens, "Allergének", "Allergens", 22.0),
    (Field::Active, "Aktív", "Active", 8.0),
    (Field::StandsFor, "Melyik méret", "Stands for", 26.0),
];

const MENU_HU: &str = "|Levesek|Soups|Gulyásleves|Goulash soup|marhahús, burgonya|beef, \
    potatoes||2490||||27|5|glutén, zeller|Feltét||igen|étel / leves|adag|
Italok|Üdítők|Soft drinks|Limonádé|Lemonade|||3 dl|890||||27|27||Íz||igen|LIMONADE_SZORP_FACSART|liter|0.3
Italok|Üdítők|Soft drinks|Limonádé|Lemonade|||5 dl|1290||||27|27||Íz||igen|LIMONADE_SZORP_FACSART|liter|0.5
|Pizzák|Pizzas|Margherita|Margherita|paradicsom, mozzarella|tomato, \
    mozzarella|||2490|3490||27|5|glutén, tej|||igen|étel / főétel|adag|
|Pizzák|Pizzas|Sonkás|Ham|sonka, mozzarella|ham, mozzarella|||2890|3990|5490|27|5|glutén, tej|||igen|étel / főétel|adag|
|Napi menü|Daily menu|Gulyás menü|Goulash menu|leves és ital|soup and drink||2990||||||||||||||Gulyásleves; Limonádé 3 dl";
const MENU_EN: &str = "|Soups|Levesek|Goulash soup|Gulyásleves|beef, potatoes|marhahús, \
    burgonya||2490||||27|5|gluten, celery|Topping||yes|food / soup|portion|
Drinks|Soft drinks|Üdítők|Lemonade|Limonádé|||3 dl|890||||27|27||Flavour||yes|LIMONADE_SZORP_FACSART|litre|0.3
Drinks|Soft drinks|Üdítők|Lemonade|Limonádé|||5 dl|1290||||27|27||Flavour||yes|LIMONADE_SZORP_FACSART|litre|0.5
|Pizzas|Pizzák|Margherita|Margherita|tomato, mozzarella|paradicsom, \
    mozzarella|||2490|3490||27|5|gluten, milk|||yes|food / main course|portion|
|Pizzas|Pizzák|Ham|Sonkás|ham, mozzarella|sonka, mozzarella|||2890|3990|5490|27|5|gluten, milk|||yes|food / main course|portion|
|Daily menu|Napi menü|Goulash menu|Gulyás menü|soup and drink|leves és ital||2990||||||||||||||Goulash soup; Lemonade 3 dl";
const OPTIONS_HU: &str = "Íz|Flavour|egy|||Citrom|Lemon|0||igen
Íz||||| Málna|Raspberry|100||igen
Feltét|Topping|tól-ig|0|2|Friss kenyér|Fresh bread|150|glutén|igen
Feltét|||||Csípős paprika|Hot pepper|200||igen";
const OPTIONS_EN: &str = "Flavour|Íz|one|||Lemon|Citrom|0||yes
Flavour|||||Raspberry|Málna|100||yes
Topping|Feltét|from-to|0|2|Fresh bread|Friss kenyér|150|gluten|yes
Topping|||||Hot pepper|Csípős paprika|200||yes";

/// Columns whose cells are numbers. Cells elsewhere are texts, whatever they look like.
const NUMBERS: [Field; 8] = [
    Field::DepositPieces,
    Field::Price,
    Field::SizePrice,
    Field::Vat,
    Field::SitInVat,
    Field::NtakQuantity,
    Field::MinNoOptions,
    Field::MaxNoOptions,
];

fn fill<'a>(
    sheet: &mut Worksheet, columns: &[Column], hungarian: bool, rows: impl Iterator<Item = Vec<&'a str>>,
) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    sheet.set_freeze_panes(1, 0)?;
    for (at, (_, hu, en, width)) in (0_u16..).zip(columns) {
        sheet.write_string_with_format(0, at, if hungarian { *hu } else { *en }, &bold)?;
        sheet.set_column_width(at, *width)?;
    }
    for (row, cells) in (1_u32..).zip(rows) {
        for (at, ((field, ..), text)) in
            (0_u16..).zip(columns.iter().zip(cells)).filter(|(_, (_, text))| !text.is_empty())
        {
            match text.parse::<f64>() {
                Ok(number) if NUMBERS.contains(field) => sheet.write_number(row, at, number)?,
                _ => sheet.write_string(row, at, text)?,
            };
        }
    }
    Ok(())
}

/// A template with these rows of the menu and of the options.
pub(super) fn filled<'a>(
    hungarian: bool, menu: impl Iterator<Item = Vec<&'a str>>, options: impl Iterator<Item = Vec<&'a str>>,
) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    book.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2026, 1, 1)?));
    fill(book.add_worksheet().set_name(if hungarian { "Étlap" } else { "Menu" })?, &MENU, hungarian, menu)?;
    fill(
        book.add_worksheet().set_name(if hungarian { "Opciók" } else { "Options" })?,
        &OPTIONS,
        hungarian,
        options,
    )?;
    book.save_to_buffer()
}

fn made(hungarian: bool) -> Result<Vec<u8>, XlsxError> {
    let rows = |text: &'static str| text.lines().map(|line| line.split('|').map(str::trim).collect());
    let (menu, options) = if hungarian { (MENU_HU, OPTIONS_HU) } else { (MENU_EN, OPTIONS_EN) };
    filled(hungarian, rows(menu), rows(options))
}

#[test]
fn the_templates_have_every_column() -> Result<(), Box<dyn std::error::Error>> {
    for (name, hungarian) in [("template-hu.xlsx", true), ("template-en.xlsx", false)] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
        if std::env::var("PULT_GOLDEN").is_ok_and(|word| word == "write") {
            std::fs::write(&path, made(hungarian)?)?;
        }
        let committed = sheet::read(&std::fs::read(&path)?).map_err(|fault| fault.name())?;
        let wanted = sheet::read(&made(hungarian)?).map_err(|fault| fault.name())?;
        for (committed, wanted) in committed.iter().zip(&wanted) {
            assert_eq!(committed.rows, wanted.rows, "{name} is not what is made here: PULT_GOLDEN=write");
        }
        let [menu, choices] = &committed[..] else { panic!("{name} has {} sheets", committed.len()) };
        assert_eq!(recognise(menu, Currency::Huf).fields, MENU.map(|(field, ..)| Some(field)));
        assert_eq!(options(menu), None);
        assert_eq!(
            options(choices).map(|mapping| mapping.fields),
            Some(OPTIONS.map(|(field, ..)| Some(field)).to_vec())
        );
    }
    Ok(())
}

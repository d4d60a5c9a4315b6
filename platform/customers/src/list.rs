//! Lists of customers. What is not asked about figures looks at no figures but those of its own page; one
//! restaurant's are read in the order of an index. See `docs/decisions/customers.md#lists`.

use access::{audit, prelude::*};
use kernel::money::Money;
use rust_decimal::Decimal;
use sea_orm::Value as Bound;

use crate::{
    seen::Seen,
    types::{BalanceFilter, CustomerRow, ShadowCustomerSort as Sort},
};

/// Which customers a list has.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub name: Option<String>,
    pub order_count: (Option<i32>, Option<i32>),
    pub order_sum: (Option<Money>, Option<Money>),
    /// From the first to before the second.
    pub last_order: (Option<Timestamp>, Option<Timestamp>),
    pub balance: BalanceFilter,
}

/// The words of a search as patterns: accents and case are left to the database. A word of digits is looked for
/// as it stands in every spelling of a phone.
pub(crate) fn patterns(text: &str) -> Vec<String> {
    let escaped = |word: &str| {
        let signs = word.chars().flat_map(|sign| {
            let escape = matches!(sign, '%' | '_' | '\\').then_some('\\');
            escape.into_iter().chain([sign])
        });
        format!("%{}%", signs.collect::<String>())
    };
    text.split_whitespace()
        .map(|word| {
            let digits: String = word.chars().filter(char::is_ascii_digit).collect();
            let phone = word.chars().all(|sign| sign.is_ascii_digit() || "+/()-.".contains(sign));
            let national = digits.trim_start_matches('0');
            if phone && !national.is_empty() { escaped(national) } else { escaped(word) }
        })
        .collect()
}

impl Filter {
    /// Whether figures decide who is in the list.
    fn looks_at_figures(&self) -> bool {
        let Self { name: _, order_count, order_sum, last_order, balance } = self;
        *order_count != (None, None)
            || *order_sum != (None, None)
            || *last_order != (None, None)
            || *balance != BalanceFilter::All
    }

    /// Whether something is asked that the short form does not answer.
    pub fn is_plain(&self, sort: Sort) -> bool {
        !self.looks_at_figures() && matches!(sort, Sort::Name | Sort::NameDesc)
    }

    /// Whether it needs the balance.
    pub fn asks_for_balance(&self, sort: Sort) -> bool {
        self.balance != BalanceFilter::All || matches!(sort, Sort::Balance | Sort::BalanceDesc)
    }
}

/// The customers that live, stand for themselves, are seen and have all the words; `$1` the restaurant, `$2`
/// whether the whole partner's are seen, `$3` patterns, `$4` the restaurants whose figures count, `$5` the
/// group.
macro_rules! found {
    () => {
        "c.archived_at is null and c.merged_into is null \
         and ($2 or exists (select from shadow_customer_restaurant r where r.shadow_customer_id = c.id \
            and r.restaurant_id = $1)) \
         and (cardinality($3::text[]) = 0 \
            or c.search like all (array(select ref.fold(word) from unnest($3::text[]) word)) \
            or c.id in (select m.root_id from shadow_customer m where m.root_id is not null \
                and m.search like all (array(select ref.fold(word) from unnest($3::text[]) word))))"
    };
}

/// `$6` to `$12`: bounds of number, sum and last order, and the sign of the balance.
macro_rules! figures {
    () => {
        " and ($6::int is null or coalesce(f.order_number, 0) >= $6) \
         and ($7::int is null or coalesce(f.order_number, 0) <= $7) \
         and ($8::numeric is null or coalesce(f.order_total_sum, 0) >= $8) \
         and ($9::numeric is null or coalesce(f.order_total_sum, 0) <= $9) \
         and ($10::timestamptz is null or f.last_order_at >= $10) \
         and ($11::timestamptz is null or f.last_order_at < $11) \
         and ($12::int is null or sign(coalesce(a.balance, 0)) = $12)"
    };
}
macro_rules! account {
    () => {
        " left join shadow_customer_account a on a.shadow_customer_id = c.id and a.restaurant_group_id = $5"
    };
}
/// The figures of every customer at several restaurants.
macro_rules! at_several {
    () => {
        concat!(
            "shadow_customer c left join (select s.shadow_customer_id, sum(s.order_number) order_number, \
                sum(s.order_total_sum) order_total_sum, max(s.last_order_at) last_order_at \
                from shadow_customer_restaurant s where s.restaurant_id = any ($4) \
                group by s.shadow_customer_id) f on f.shadow_customer_id = c.id",
            account!()
        )
    };
}
/// Those at one restaurant, the only one that the caller sees.
macro_rules! at_one {
    () => {
        concat!(
            "shadow_customer_restaurant f join shadow_customer c on c.id = f.shadow_customer_id \
                and f.restaurant_id = ($4::uuid[])[1]",
            account!()
        )
    };
}
/// The page's customers with all that is shown of them.
macro_rules! shown {
    ($page:expr, $order:literal) => {
        concat!(
            "with page as (",
            $page,
            ") select c.id, c.name, c.first_name, c.last_name, c.phone_1, c.email, \
                coalesce(f.order_number, 0)::int order_number, \
                trim_scale(coalesce(f.order_total_sum, 0)) order_total_sum, f.last_order_at, c.created_at, \
                trim_scale(coalesce(a.balance, 0)) balance, coalesce(a.points, 0) points, c.archived_at \
             from page p join shadow_customer c on c.id = p.id \
             left join lateral (select sum(s.order_number) order_number, \
                sum(s.order_total_sum) order_total_sum, max(s.last_order_at) last_order_at \
                from shadow_customer_restaurant s where s.shadow_customer_id = c.id \
                and s.restaurant_id = any ($4)) f on true",
            account!(),
            " order by ",
            $order
        )
    };
}
macro_rules! plain {
    ($order:literal) => {
        shown!(
            concat!(
                "select c.id from shadow_customer c where ",
                found!(),
                " order by ",
                $order,
                " limit $6 offset $7"
            ),
            $order
        )
    };
}
macro_rules! several {
    ($order:literal) => {
        shown!(
            concat!(
                "select c.id from ",
                at_several!(),
                " where ",
                found!(),
                figures!(),
                " order by ",
                $order,
                " limit $13 offset $14"
            ),
            $order
        )
    };
}
macro_rules! one {
    ($order:literal) => {
        shown!(
            concat!(
                "select c.id from ",
                at_one!(),
                " where ",
                found!(),
                figures!(),
                " order by ",
                $order,
                " limit $13 offset $14"
            ),
            $order
        )
    };
}

const COUNT: &str = concat!("select count(*) total from shadow_customer c where ", found!());
const COUNT_BY_FIGURES: &str =
    concat!("select count(*) total from ", at_several!(), " where ", found!(), figures!());

/// The statement for an order that needs no figures.
fn plain(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::Name => Some(plain!("ref.fold(c.name), c.id")),
        Sort::NameDesc => Some(plain!("ref.fold(c.name) desc, c.id desc")),
        Sort::CreatedAt => Some(plain!("c.created_at, c.id desc")),
        Sort::CreatedAtDesc => Some(plain!("c.created_at desc, c.id")),
        _ => None,
    }
}

macro_rules! by_figures {
    ($sort:expr, $statement:ident) => {
        match $sort {
            Sort::Name => $statement!("ref.fold(c.name), c.id"),
            Sort::NameDesc => $statement!("ref.fold(c.name) desc, c.id desc"),
            Sort::CreatedAt => $statement!("c.created_at, c.id desc"),
            Sort::CreatedAtDesc => $statement!("c.created_at desc, c.id"),
            Sort::OrderNumber => $statement!("f.order_number nulls first, c.id desc"),
            Sort::OrderNumberDesc => $statement!("f.order_number desc nulls last, c.id"),
            Sort::OrderTotalSum => $statement!("f.order_total_sum nulls first, c.id desc"),
            Sort::OrderTotalSumDesc => $statement!("f.order_total_sum desc nulls last, c.id"),
            Sort::LastOrderAt => $statement!("f.last_order_at nulls last, c.id"),
            Sort::LastOrderAtDesc => $statement!("f.last_order_at desc nulls last, c.id"),
            Sort::Balance => $statement!("coalesce(a.balance, 0), c.id"),
            Sort::BalanceDesc => $statement!("coalesce(a.balance, 0) desc, c.id"),
        }
    };
}

/// A page of the customers whom the caller sees.
///
/// # Errors
/// What the database says.
pub(crate) async fn page(
    tx: &TenantTx,
    seen: &Seen,
    filter: Filter,
    sort: Sort,
    paging: &Paging,
) -> Result<Page<CustomerRow>> {
    let words = patterns(filter.name.as_deref().unwrap_or_default());
    let place: [Bound; 5] = [
        seen.restaurant.into(),
        seen.whole.into(),
        words.into(),
        seen.summed.clone().into(),
        seen.group.into(),
    ];
    let decimal = |money: Option<Money>| -> Option<Decimal> { money.map(Money::value) };
    let bounds: [Bound; 7] = [
        filter.order_count.0.into(),
        filter.order_count.1.into(),
        decimal(filter.order_sum.0).into(),
        decimal(filter.order_sum.1).into(),
        filter.last_order.0.into(),
        filter.last_order.1.into(),
        filter.balance.sign().into(),
    ];
    let figures = filter.looks_at_figures();
    let total = match (paging.count, figures) {
        (false, _) => None,
        (true, true) => {
            audit::total(&tx.rows(COUNT_BY_FIGURES, place.iter().chain(&bounds).cloned()).await?)?
        }
        (true, false) => audit::total(&tx.rows(COUNT, place.iter().take(3).cloned()).await?)?,
    };
    let limits = audit::limit_offset(paging);
    let rows = match plain(sort).filter(|_| !figures) {
        Some(sql) => tx.all(sql, place.into_iter().chain(limits)).await?,
        None => {
            let sql =
                if seen.restaurants.len() == 1 { by_figures!(sort, one) } else { by_figures!(sort, several) };
            tx.all(sql, place.into_iter().chain(bounds).chain(limits)).await?
        }
    };
    Ok(Page { rows, total })
}

#[cfg(test)]
mod tests {
    use super::patterns;

    #[test]
    fn words_are_patterns_and_digits_a_part_of_a_phone() {
        for (text, expected) in [
            ("", vec![]),
            ("  Kis  Anna ", vec!["%Kis%", "%Anna%"]),
            ("06 30", vec!["%6%", "%30%"]),
            ("0036305550100", vec!["%36305550100%"]),
            ("+36-30/555.0100", vec!["%36305550100%"]),
            ("(06)305550100", vec!["%6305550100%"]),
            ("000", vec!["%000%"]),
            ("a_b 50% \\", vec!["%a\\_b%", "%50\\%%", "%\\\\%"]),
            ("vendeg1@pult.example", vec!["%vendeg1@pult.example%"]),
        ] {
            assert_eq!(patterns(text), expected, "{text}");
        }
    }
}

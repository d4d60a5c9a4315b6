//! Lists of customers. See `docs/decisions/customers.md#lists`.

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

/// The words of a search as patterns with blanks between: accents and case are left to the database. A word
/// of digits is looked for as it stands in every spelling of a phone.
pub(crate) fn patterns(text: &str) -> String {
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
        .collect::<Vec<_>>()
        .join(" ")
}

impl Sort {
    /// Whether figures of orders decide who comes first.
    fn looks_at_orders(self) -> bool {
        match self {
            Self::Name | Self::NameDesc | Self::CreatedAt | Self::CreatedAtDesc => false,
            Self::Balance | Self::BalanceDesc => false,
            Self::OrderNumber | Self::OrderNumberDesc => true,
            Self::OrderTotalSum | Self::OrderTotalSumDesc => true,
            Self::LastOrderAt | Self::LastOrderAtDesc => true,
        }
    }
}

impl Filter {
    /// Whether figures of orders decide who is in the list.
    fn looks_at_orders(&self) -> bool {
        let Self { name: _, order_count, order_sum, last_order, balance: _ } = self;
        *order_count != (None, None) || *order_sum != (None, None) || *last_order != (None, None)
    }

    /// Whether something is asked that the short form does not answer.
    pub fn is_plain(&self, sort: Sort) -> bool {
        !self.looks_at_orders()
            && self.balance == BalanceFilter::All
            && matches!(sort, Sort::Name | Sort::NameDesc)
    }

    pub fn asks_for_balance(&self, sort: Sort) -> bool {
        self.balance != BalanceFilter::All || matches!(sort, Sort::Balance | Sort::BalanceDesc)
    }
}

/// The customers that live, stand for themselves and have all the words; `$3` patterns with blanks between.
macro_rules! found {
    () => {
        "c.archived_at is null and c.merged_into is null \
         and ($3 = '' or c.search like all (string_to_array(ref.fold($3), ' ')))"
    };
}

/// `$6` to `$12`: bounds of number, sum and last order, and the sign of the balance.
macro_rules! figures {
    () => {
        " and ($6::int is null or f.order_number >= $6) and ($7::int is null or f.order_number <= $7) \
         and ($8::numeric is null or f.order_total_sum >= $8) \
         and ($9::numeric is null or f.order_total_sum <= $9) \
         and ($10::timestamptz is null or f.last_order_at >= $10) \
         and ($11::timestamptz is null or f.last_order_at < $11) \
         and ($12::int is null or case $12 when 1 then a.balance > 0 when -1 then a.balance < 0 \
            else a.balance is null or a.balance = 0 end)"
    };
}
macro_rules! account {
    () => {
        " left join shadow_customer_account a on a.shadow_customer_id = c.id and a.restaurant_group_id = $5"
    };
}
/// All customers of the partner with what they ordered anywhere.
macro_rules! everywhere {
    () => {
        concat!(
            "shadow_customer c cross join lateral \
                (select c.order_number, c.order_total_sum, c.last_order_at) f",
            account!(),
            " where ",
            found!(),
            figures!()
        )
    };
}
/// The customers of the restaurant with what they ordered there.
macro_rules! here {
    () => {
        concat!(
            "shadow_customer_restaurant f join shadow_customer c on c.id = f.shadow_customer_id \
                and f.restaurant_id = $1",
            account!(),
            " where ",
            found!(),
            figures!()
        )
    };
}
/// The same where nothing is looked for: it leaves out the few who are gone instead of finding all others.
macro_rules! staying {
    () => {
        concat!(
            "shadow_customer_restaurant f cross join lateral (select f.shadow_customer_id id) c",
            account!(),
            " where f.restaurant_id = $1 and not exists (select from shadow_customer g where g.id = c.id \
                and (g.archived_at is not null or g.merged_into is not null))",
            figures!()
        )
    };
}
macro_rules! sums {
    () => {
        "sum(s.order_number) order_number, sum(s.order_total_sum) order_total_sum, \
            max(s.last_order_at) last_order_at"
    };
}
/// The customers of the restaurant, or of the partner, with what they ordered at the restaurants that count.
macro_rules! several {
    () => {
        concat!(
            "shadow_customer c left join (select s.shadow_customer_id, ",
            sums!(),
            ", bool_or(s.restaurant_id = $1) here \
                from shadow_customer_restaurant s where s.restaurant_id = any ($4) \
                group by s.shadow_customer_id) s on s.shadow_customer_id = c.id \
             cross join lateral (select coalesce(s.order_number, 0) order_number, \
                coalesce(s.order_total_sum, 0) order_total_sum, s.last_order_at) f",
            account!(),
            " where ($2 or s.here) and ",
            found!(),
            figures!()
        )
    };
}
/// The customers of the restaurant as `several` has them, but found before anything is added up: better where
/// few are found. The limit, a condition on them (`c`) and on their figures here (`h`), keeps the others out.
macro_rules! few {
    ($($limit:literal)?) => {
        concat!(
            "(select c.id, ",
            sums!(),
            " from shadow_customer_restaurant h join shadow_customer c on c.id = h.shadow_customer_id \
             join shadow_customer_restaurant s on s.shadow_customer_id = c.id and s.restaurant_id = any ($4) \
             where h.restaurant_id = $1 and ",
            found!(),
            $($limit,)?
            " group by c.id) f cross join lateral (select f.id) c",
            account!(),
            " where true",
            figures!()
        )
    };
}
/// The page's customers with all that is shown of them.
macro_rules! page {
    ($from:ident $(($limit:literal))?, $order:literal) => {
        concat!(
            "with page as (select c.id from ",
            $from!($($limit)?),
            " order by ",
            $order,
            " limit $13 offset $14) select c.id, c.name, c.first_name, c.last_name, c.phone_1, c.email, \
                f.order_number::int, trim_scale(f.order_total_sum) order_total_sum, f.last_order_at, \
                c.created_at, trim_scale(coalesce(a.balance, 0)) balance, coalesce(a.points, 0) points, \
                c.archived_at \
             from page p join shadow_customer c on c.id = p.id \
             cross join lateral (select coalesce(sum(s.order_number), 0) order_number, \
                coalesce(sum(s.order_total_sum), 0) order_total_sum, max(s.last_order_at) last_order_at \
                from shadow_customer_restaurant s where s.shadow_customer_id = c.id \
                and s.restaurant_id = any ($4)) f",
            account!(),
            " order by ",
            $order
        )
    };
}
macro_rules! count {
    ($from:ident) => {
        concat!("select count(*) total from ", $from!())
    };
}
macro_rules! ordered {
    ($sort:expr, $from:ident) => {
        match $sort {
            Sort::Name => page!($from, "ref.fold(c.name), c.id"),
            Sort::NameDesc => page!($from, "ref.fold(c.name) desc, c.id desc"),
            Sort::CreatedAt => page!($from, "c.created_at, c.id desc"),
            Sort::CreatedAtDesc => page!($from, "c.created_at desc, c.id"),
            Sort::OrderNumber => page!($from, "f.order_number nulls first, c.id desc"),
            Sort::OrderNumberDesc => page!($from, "f.order_number desc nulls last, c.id"),
            Sort::OrderTotalSum => page!($from, "f.order_total_sum nulls first, c.id desc"),
            Sort::OrderTotalSumDesc => page!($from, "f.order_total_sum desc nulls last, c.id"),
            Sort::LastOrderAt => page!($from, "f.last_order_at nulls last, c.id"),
            Sort::LastOrderAtDesc => page!($from, "f.last_order_at desc nulls last, c.id"),
            Sort::Balance => page!($from, "coalesce(a.balance, 0), c.id"),
            Sort::BalanceDesc => page!($from, "coalesce(a.balance, 0) desc, c.id"),
        }
    };
}

mod last;

/// Where a list finds its customers with the figures by which it is filtered and ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Everywhere,
    Here,
    Several,
    /// As `Several`, of this restaurant and looked for by name.
    Few,
}

impl Source {
    fn of(seen: &Seen, figures: bool, named: bool) -> Self {
        match seen.whole {
            true if figures && !seen.one_currency => Self::Several,
            true => Self::Everywhere,
            false if !figures || seen.summed.len() == 1 => Self::Here,
            false if named => Self::Few,
            false => Self::Several,
        }
    }

    fn page(self, sort: Sort) -> &'static str {
        match self {
            Self::Everywhere => ordered!(sort, everywhere),
            Self::Here => ordered!(sort, here),
            Self::Several => ordered!(sort, several),
            Self::Few => ordered!(sort, few),
        }
    }

    fn count(self, named: bool) -> &'static str {
        match self {
            Self::Everywhere => count!(everywhere),
            Self::Here if named => count!(here),
            Self::Here => count!(staying),
            Self::Several => count!(several),
            Self::Few => count!(few),
        }
    }
}

/// A page of the customers whom the caller sees.
pub(crate) async fn page(
    tx: &TenantTx, seen: &Seen, filter: Filter, sort: Sort, paging: &Paging,
) -> Result<Page<CustomerRow>> {
    let figures = filter.looks_at_orders() || sort.looks_at_orders();
    let decimal = |money: Option<Money>| -> Option<Decimal> { money.map(Money::value) };
    let patterns = patterns(filter.name.as_deref().unwrap_or_default());
    let named = !patterns.is_empty();
    let values: [Bound; 12] = [
        seen.restaurant.into(),
        seen.whole.into(),
        patterns.into(),
        seen.summed.clone().into(),
        seen.group.into(),
        filter.order_count.0.into(),
        filter.order_count.1.into(),
        decimal(filter.order_sum.0).into(),
        decimal(filter.order_sum.1).into(),
        filter.last_order.0.into(),
        filter.last_order.1.into(),
        filter.balance.sign().into(),
    ];
    tx.plan_with_values().await?;
    let total = if paging.count {
        let sql = Source::of(seen, filter.looks_at_orders(), named).count(named);
        audit::total(&tx.rows(sql, values.clone()).await?)?
    } else {
        None
    };
    if let Some(rows) = last::rows(tx, seen, &values, sort, paging).await? {
        return Ok(Page { rows, total });
    }
    let sql = Source::of(seen, figures, named && sort.looks_at_orders()).page(sort);
    let rows = tx.all(sql, values.into_iter().chain(audit::limit_offset(paging))).await?;
    Ok(Page { rows, total })
}

#[cfg(test)]
mod tests {
    use super::patterns;

    #[test]
    fn words_are_patterns_and_digits_a_part_of_a_phone() {
        for (text, expected) in [
            ("", ""),
            ("  Kis  Anna ", "%Kis% %Anna%"),
            ("06 30", "%6% %30%"),
            ("0036305550100", "%36305550100%"),
            ("+36-30/555.0100", "%36305550100%"),
            ("(06)305550100", "%6305550100%"),
            ("000", "%000%"),
            ("a_b 50% \\", "%a\\_b% %50\\%% %\\\\%"),
            ("vendeg1@pult.example", "%vendeg1@pult.example%"),
        ] {
            assert_eq!(patterns(text), expected, "{text}");
        }
    }
}

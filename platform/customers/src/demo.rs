//! Customers of the demo partner.

use uuid::Uuid;

/// Last and first names, invented.
const NAMES: [(&str, &str); 30] = [
    ("Almási", "Réka"),
    ("Bakos", "Dániel"),
    ("Balla", "Zsófia"),
    ("Bárdos", "Ákos"),
    ("Csonka", "Eszter"),
    ("Deák", "Márton"),
    ("Dobos", "Lilla"),
    ("Erdős", "Kristóf"),
    ("Faragó", "Noémi"),
    ("Fülöp", "Gergő"),
    ("Gál", "Hanna"),
    ("Halmos", "Botond"),
    ("Hegyi", "Dorka"),
    ("Juhos", "Levente"),
    ("Kelemen", "Flóra"),
    ("Kocsis", "Máté"),
    ("Lakos", "Júlia"),
    ("Ligeti", "Barnabás"),
    ("Major", "Emese"),
    ("Mezei", "Ádám"),
    ("Nyári", "Boglárka"),
    ("Orosz", "Vince"),
    ("Pallagi", "Luca"),
    ("Rácz", "Bendegúz"),
    ("Sipos", "Petra"),
    ("Somogyi", "Tamás"),
    ("Tar", "Viola"),
    ("Udvari", "Soma"),
    ("Vadas", "Anna"),
    ("Zala", "Bence"),
];

/// A statement that adds thirty customers to a partner's schema, who have ordered at each of these
/// restaurants, and its values. Doing it again changes nothing.
#[must_use]
pub fn demo_customers(restaurants: &[Uuid]) -> (&'static str, [sea_orm::Value; 3]) {
    const SQL: &str = "with c as (insert into shadow_customer (id, last_name, first_name, phone_1, email) \
            select md5('demo customer ' || n)::uuid, last_name, first_name, \
                '+3615550' || lpad((100 + n)::text, 3, '0'), 'vendeg' || n || '@pult.example' \
            from unnest($1::text[], $2::text[]) with ordinality t (last_name, first_name, n) \
            on conflict do nothing returning id) \
        insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
        select c.id, r from c, unnest($3::uuid[]) r";
    let names = |of: fn(&(&str, &str)) -> String| NAMES.iter().map(of).collect::<Vec<String>>();
    let values = [
        names(|(last, _)| (*last).to_owned()).into(),
        names(|(_, first)| (*first).to_owned()).into(),
        restaurants.to_vec().into(),
    ];
    (SQL, values)
}

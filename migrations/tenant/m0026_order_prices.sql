-- What an order costs, whole: fees, deposits, sizes that consist of others, discounts on lines, and parts of lines.

-- VAT of what is eaten here may be empty: then an item's own holds here too. 5 % was the default; it stays where somebody
-- chose it, and in copies that were made after that.
alter table restaurant alter column sit_in_vat_id drop not null, alter column sit_in_vat_id drop default;
with recursive chosen (id, at) as (
    select record_id, min(at) from audit
    where action = 'restaurants_general' and 'sit_in_vat_id' = any (fields) group by record_id
    union
    select a.record_id, a.at from chosen c join audit a on a.action = 'restaurants_create' and a.at > c.at
    join audit_detail d on d.audit_id = a.id and d.details #>> '{copy_from,1}' = c.id::text
)
update restaurant set sit_in_vat_id = null, catalogue_version = catalogue_version + 1
where sit_in_vat_id = '00000000-0000-7000-8000-000000000105' and id not in (select id from chosen);

-- Charged for each order of an own online channel; super admins set it.
alter table restaurant add column system_usage_fee numeric(12, 2) not null default 0
    check (system_usage_fee between 0 and 10000000);

-- How the till prices and works: at most one row each.
create table pos_config (
    restaurant_id uuid primary key references restaurant,
    -- Percent of the goods that carry it.
    service_fee   numeric(5, 2) not null default 0 check (service_fee between 0 and 100),
    service_fee_mode text not null default 'off' check (service_fee_mode in ('off', 'all_items', 'flagged_items')),
    take_away_service_fee boolean not null default true,
    -- Percent that is preselected where tips are asked; null is none.
    default_tip   numeric(5, 2) check (default_tip between 0 and 100),
    employee_tip  boolean not null default false,
    -- Bottles and cans of what is eaten here carry their deposit.
    deposit_here  boolean not null default true,
    version       bigint not null default 1
);

-- Bottles and cans with a deposit in one piece.
alter table subproduct add column deposit_pieces int not null default 0 check (deposit_pieces between 0 and 999);

-- What one piece of a size consists of. One level: a component has no components.
create table subproduct_component (
    subproduct_id uuid not null references subproduct,
    component_id  uuid not null references subproduct,
    restaurant_id uuid not null references restaurant,
    pieces        int not null check (pieces between 1 and 999),
    ranking       int not null default 0,
    primary key (subproduct_id, component_id),
    check (subproduct_id <> component_id)
);
create index on subproduct_component (restaurant_id);
create index on subproduct_component (component_id);

-- The size that an option stands for, and how many pieces of it one option is.
alter table option
    add column subproduct_id uuid references subproduct,
    add column subproduct_pieces int not null default 1 check (subproduct_pieces between 1 and 999);
create index on option (subproduct_id) where subproduct_id is not null;

-- Orders of earlier releases have no customer, no discount and no fee: the defaults say so.
alter table orders
    add column customer_id      uuid,
    add column coupon_code      text,
    -- What of discount_price staff took, and whose PIN allowed it.
    add column staff_discount   numeric(12, 2) not null default 0,
    add column approved_by      uuid,
    add column approved_by_name text,
    -- The delivery before promotions; null: as it was paid.
    add column delivery_original_price numeric(12, 2),
    add column delivery_vat_percent numeric(5, 2),
    add column delivery_net_price numeric(12, 2) not null default 0,
    add column delivery_vat_price numeric(12, 2) not null default 0,
    add column deposit          numeric(12, 2) not null default 0,
    add column deposit_pieces   int not null default 0,
    add column system_usage_fee_vat_percent numeric(5, 2),
    add column system_usage_fee_net_price numeric(12, 2) not null default 0,
    add column system_usage_fee_vat_price numeric(12, 2) not null default 0,
    -- Earned once the order is closed.
    add column points_earned    bigint not null default 0,
    -- Those that applied, with name and amount of then.
    add column promotions       jsonb not null default '[]';
create index on orders (customer_id, created_at) where customer_id is not null;

-- unit_price and total_price are the list price; net_price and vat_price are of what is paid.
alter table order_item
    -- Null where its parts have several rates.
    alter column vat_percent drop not null,
    -- The promotion that gives it; null: the guest ordered it.
    add column gift_of          uuid,
    add column discount         numeric(12, 2) not null default 0,
    -- Null in orders of earlier releases: total_price.
    add column paid_price       numeric(12, 2),
    add column service_fee      numeric(12, 2) not null default 0,
    add column service_fee_net  numeric(12, 2) not null default 0,
    add column service_fee_vat  numeric(12, 2) not null default 0,
    add column deposit          numeric(12, 2) not null default 0,
    add column deposit_pieces   int not null default 0,
    -- As they were effective; null where nobody had set any.
    add column ntak_category_id uuid,
    add column ntak_quantity_unit text,
    add column ntak_quantity    numeric(12, 4),
    -- When it was added; null in orders of earlier releases: with the order.
    add column created_at       timestamptz;

-- The parts of a line, each with VAT and tax category of its own: the size, its options together, components, options
-- that stand for a size. A line without rows here is one part: its size.
create table order_item_part (
    id            uuid primary key,
    order_item_id uuid not null references order_item,
    ranking       int not null,
    kind          text not null check (kind in ('item', 'component', 'options', 'option')),
    subproduct_id uuid not null,
    option_id     uuid,
    name          text not null,
    name_sec_lang text,
    quantity      int not null,
    total_price   numeric(12, 2) not null,
    discount      numeric(12, 2) not null,
    paid_price    numeric(12, 2) not null,
    vat_percent   numeric(5, 2) not null,
    net_price     numeric(12, 2) not null,
    vat_price     numeric(12, 2) not null,
    service_fee   numeric(12, 2) not null,
    service_fee_net numeric(12, 2) not null,
    service_fee_vat numeric(12, 2) not null,
    ntak_category_id uuid,
    ntak_quantity_unit text,
    ntak_quantity numeric(12, 4),
    created_at    timestamptz not null default now()
);
create index on order_item_part (order_item_id, ranking);

-- Schema `ref`: reference data with fixed ids, equal on every installation. Everybody reads, super admins write.

-- Accents and case ignored, as searches expect it; extensions are avoided on purpose.
create function ref.fold(value text) returns text
    language sql immutable parallel safe strict
    -- Letters are taken apart into letter and accents, which go: grave, acute, circumflex, tilde, breve, diaeresis, ring, double
    -- acute, caron, cedilla, ogonek. lower() comes after that, because it knows no accents where the database has no locale.
    -- Three times as quick as a table of letters, and lists of thousands are sorted by it.
    return translate(lower(normalize(value, nfd)), U&'\201E\201D\0300\0301\0302\0303\0306\0308\030A\030B\030C\0327\0328', '""');

create table ref.vat (
    id         uuid primary key,
    country_id text not null default 'HU',
    name_en    text not null,
    name_local text not null,
    percent    numeric(5, 2) not null check (percent >= 0 and percent < 100)
);
insert into ref.vat (id, name_en, name_local, percent)
select ('00000000-0000-7000-8000-0000000001' || lpad(to_hex(p), 2, '0'))::uuid,
       case p when 27 then 'Standard rate' when 5 then 'Reduced rate' when 18 then 'Middle rate' when 0 then 'Exempt' else 'VAT ' || p || '%' end,
       case p when 27 then 'Általános kulcs' when 5 then 'Kedvezményes kulcs' when 18 then 'Középső kulcs' when 0 then 'Áfamentes' else p || '%-os áfa' end,
       p
from unnest(array[0, 5, 6, 7, 8, 10, 12, 13, 15, 18, 20, 25, 27, 30]) p;

-- The fourteen allergens of Regulation (EU) No 1169/2011, Annex II.
create table ref.allergen (
    id      uuid primary key,
    code    text not null unique,
    name    text not null,
    name_en text not null,
    ranking int not null
);
insert into ref.allergen (id, code, name, name_en, ranking)
select ('00000000-0000-7000-8000-0000000002' || lpad(to_hex(n), 2, '0'))::uuid, code, hu, en, n
from (values (1, 'GLUTEN', 'glutén', 'gluten'), (2, 'CRUSTACEANS', 'rákfélék', 'crustaceans'), (3, 'EGGS', 'tojás', 'eggs'),
             (4, 'FISH', 'hal', 'fish'), (5, 'PEANUTS', 'földimogyoró', 'peanuts'), (6, 'SOY', 'szója', 'soybeans'),
             (7, 'MILK', 'tej', 'milk'), (8, 'NUTS', 'diófélék', 'nuts'), (9, 'CELERY', 'zeller', 'celery'),
             (10, 'MUSTARD', 'mustár', 'mustard'), (11, 'SESAME', 'szezámmag', 'sesame'), (12, 'SULPHITES', 'kén-dioxid', 'sulphites'),
             (13, 'LUPIN', 'csillagfürt', 'lupin'), (14, 'MOLLUSCS', 'puhatestűek', 'molluscs')) v (n, code, hu, en);

create table ref.pos_color (
    id         uuid primary key,
    name       text not null,
    name_en    text not null,
    bg_color   text not null,
    text_color text not null
);
insert into ref.pos_color (id, name, name_en, bg_color, text_color)
select ('00000000-0000-7000-8000-0000000003' || lpad(to_hex(n), 2, '0'))::uuid, hu, en, bg, fg
from (values (1, 'zsálya', 'sage', '#DCE8DD', '#1F3A2A'), (2, 'borostyán', 'amber', '#FBE3B3', '#5A3B00'), (3, 'korall', 'coral', '#F8D2C8', '#6B2413'),
             (4, 'ég', 'sky', '#D3E6F5', '#123F5E'), (5, 'levendula', 'lavender', '#E3DDF6', '#3C2A78'), (6, 'homok', 'sand', '#EEE4D2', '#4F3F1F'),
             (7, 'menta', 'mint', '#CDEFE3', '#0B4A38'), (8, 'kő', 'stone', '#E3E4E2', '#33383A')) v (n, hu, en, bg, fg);

create table ref.payment_method (
    id               uuid primary key,
    payment_key      text not null unique,
    payment_type     text not null check (payment_type in ('cash', 'card', 'card_online', 'szep_kartya', 'szep_kartya_online', 'other')),
    name             text not null,
    name_en          text not null,
    short_name       text not null,
    paid_online      boolean not null default false,
    always_available boolean not null default false,
    has_callback     boolean not null default false,
    type_web         boolean not null default false,
    type_app         boolean not null default false,
    type_phone       boolean not null default false,
    type_in_place    boolean not null default false,
    type_delivery    boolean not null default false
);
insert into ref.payment_method (id, payment_key, payment_type, name, name_en, short_name, paid_online, always_available, has_callback, type_web, type_app, type_phone, type_in_place, type_delivery)
select ('00000000-0000-7000-8000-0000000004' || lpad(to_hex(n), 2, '0'))::uuid, key, kind, hu, en, short, online, always, online, web, web, phone, place, delivery
from (values (1, 'cash', 'cash', 'Készpénz', 'Cash', 'KP', false, true, true, true, true, true),
             (2, 'card', 'card', 'Bankkártya', 'Bank card', 'BK', false, false, true, true, true, true),
             (3, 'card_online', 'card_online', 'Online bankkártya', 'Online card', 'OBK', true, false, true, false, false, false),
             (4, 'szep_kartya', 'szep_kartya', 'SZÉP-kártya', 'SZÉP card', 'SZÉP', false, false, true, true, true, true),
             (5, 'szep_kartya_online', 'szep_kartya_online', 'Online SZÉP-kártya', 'Online SZÉP card', 'OSZÉP', true, false, true, false, false, false),
             (6, 'voucher', 'other', 'Utalvány', 'Voucher', 'UTV', false, false, false, true, true, true),
             (7, 'balance', 'other', 'Egyenleg', 'Balance', 'EGY', false, false, false, true, true, false),
             (8, 'room_loan', 'other', 'Szobahitel', 'Room charge', 'SZOBA', false, false, false, false, true, false),
             (9, 'transfer', 'other', 'Átutalás', 'Bank transfer', 'UTAL', false, false, false, true, true, false),
             (10, 'split', 'other', 'Megosztott', 'Split', 'OSZT', false, false, false, false, true, false))
     v (n, key, kind, hu, en, short, online, always, web, phone, place, delivery);

create table ref.permission (
    id             uuid primary key,
    key            text not null unique,
    perm_type      text not null check (perm_type in ('main', 'interface', 'action')),
    parent_key     text references ref.permission (key),
    ranking        int not null,
    name           text not null,
    name_en        text not null,
    description    text not null,
    description_en text not null
);

create table ref.feature (
    feature text primary key
);
insert into ref.feature values ('balance'), ('loyalty'), ('kiosk'), ('tv'), ('push');

grant select on all tables in schema ref to public;
grant insert, update, delete on all tables in schema ref to pult_platform;

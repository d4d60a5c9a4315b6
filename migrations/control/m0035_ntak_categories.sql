-- The categories of the tax report (NTAK): pairs of a main and a sub-category. The authority may change the list, so super admins
-- add pairs and end others; one that has ended can no longer be chosen, and stays on what uses it: no foreign key reaches from the
-- partners' schemas to here.

create table ref.ntak_category (
    id                    uuid primary key,
    -- The words of the report.
    main_category         text not null check (main_category ~ '^[A-Z][A-Z0-9_]{0,59}$'),
    main_category_name    text not null,
    main_category_name_en text not null,
    sub_category          text not null check (sub_category ~ '^[A-Z][A-Z0-9_]{0,59}$'),
    sub_category_name     text not null,
    sub_category_name_en  text not null,
    -- The first and the last day, in Hungary; null is open.
    valid_from            date,
    valid_until           date check (valid_until >= valid_from),
    -- In the order of the report.
    place                 int not null,
    version               bigint not null default 1,
    unique (main_category, sub_category)
);

insert into ref.ntak_category (id, main_category, main_category_name, main_category_name_en, sub_category, sub_category_name,
    sub_category_name_en, place)
select ('00000000-0000-7000-8000-0000000007' || lpad(to_hex(n), 2, '0'))::uuid, m.code, m.hu, m.en, s.code, s.hu, s.en, n
from (values
    ('ETEL', 'Étel', 'Food'),
    ('ALKMENTESITAL_HELYBEN', 'Helyben készített alkoholmentes ital', 'Non-alcoholic drink made on site'),
    ('ALKMENTESITAL_NEM_HELYBEN', 'Nem helyben készített alkoholmentes ital', 'Non-alcoholic drink not made on site'),
    ('ALKOHOLOSITAL', 'Alkoholos ital', 'Alcoholic drink'),
    ('EGYEB', 'Egyéb', 'Other')) m (code, hu, en)
join (values
    (1, 'ETEL', 'REGGELI', 'reggeli', 'breakfast'),
    (2, 'ETEL', 'SZENDVICS', 'szendvics', 'sandwich'),
    (3, 'ETEL', 'ELOETEL', 'előétel', 'starter'),
    (4, 'ETEL', 'LEVES', 'leves', 'soup'),
    (5, 'ETEL', 'FOETEL', 'főétel', 'main course'),
    (6, 'ETEL', 'KORET', 'köret', 'side dish'),
    (7, 'ETEL', 'SAVANYUSAG_SALATA', 'savanyúság/saláta', 'pickles, salad'),
    (8, 'ETEL', 'KOSTOLO', 'kóstolóétel, kóstolófalat', 'tasting dish, tasting bite'),
    (9, 'ETEL', 'PEKSUTEMENY', 'péksütemény, pékáru', 'bakery goods'),
    (10, 'ETEL', 'DESSZERT', 'desszert', 'dessert'),
    (11, 'ETEL', 'SNACK', 'snack', 'snack'),
    (12, 'ETEL', 'FOETEL_KORETTEL', 'főétel körettel', 'main course with side'),
    (13, 'ETEL', 'ETELCSOMAG', 'ételcsomag', 'food package'),
    (14, 'ETEL', 'EGYEB', 'egyéb', 'other'),
    (15, 'ALKMENTESITAL_HELYBEN', 'VIZ', 'víz', 'water'),
    (16, 'ALKMENTESITAL_HELYBEN', 'LIMONADE_SZORP_FACSART', 'limonádé / szörp / frissen facsart ital',
        'lemonade, syrup, freshly pressed'),
    (17, 'ALKMENTESITAL_HELYBEN', 'ALKOHOLMENTES_KOKTEL', 'alkoholmentes koktél, alkoholmentes kevert ital',
        'non-alcoholic cocktail, mixed drink'),
    (18, 'ALKMENTESITAL_HELYBEN', 'TEA_FORROCSOKOLADE', 'tea, forrócsoki és egyéb tejalapú italok',
        'tea, hot chocolate, milk drinks'),
    (19, 'ALKMENTESITAL_HELYBEN', 'ITALCSOMAG', 'italcsomag', 'drinks package'),
    (20, 'ALKMENTESITAL_HELYBEN', 'KAVE', 'kávé', 'coffee'),
    (21, 'ALKMENTESITAL_NEM_HELYBEN', 'VIZ', 'víz', 'water'),
    (22, 'ALKMENTESITAL_NEM_HELYBEN', 'ROSTOS_UDITO', 'rostos üdítő', 'fruit juice with fibre'),
    (23, 'ALKMENTESITAL_NEM_HELYBEN', 'SZENSAVAS_UDITO', 'szénsavas üdítő', 'carbonated soft drink'),
    (24, 'ALKMENTESITAL_NEM_HELYBEN', 'SZENSAVMENTES_UDITO', 'szénsavmentes üdítő', 'still soft drink'),
    (25, 'ALKMENTESITAL_NEM_HELYBEN', 'ITALCSOMAG', 'italcsomag', 'drinks package'),
    (26, 'ALKOHOLOSITAL', 'KOKTEL', 'koktél, kevert ital', 'cocktail, mixed drink'),
    (27, 'ALKOHOLOSITAL', 'LIKOR', 'likőr', 'liqueur'),
    (28, 'ALKOHOLOSITAL', 'PARLAT', 'párlat', 'spirit'),
    (29, 'ALKOHOLOSITAL', 'SOR', 'sör', 'beer'),
    (30, 'ALKOHOLOSITAL', 'BOR', 'bor', 'wine'),
    (31, 'ALKOHOLOSITAL', 'PEZSGO', 'pezsgő', 'sparkling wine'),
    (32, 'ALKOHOLOSITAL', 'ITALCSOMAG', 'italcsomag', 'drinks package'),
    (33, 'EGYEB', 'EGYEB', 'egyéb', 'other'),
    (34, 'EGYEB', 'SZERVIZDIJ', 'szervizdíj', 'service fee'),
    (35, 'EGYEB', 'BORRAVALO', 'borravaló', 'tip'),
    (36, 'EGYEB', 'KISZALLITASI_DIJ', 'kiszállítási díj', 'delivery fee'),
    (37, 'EGYEB', 'NEM_VENDEGLATAS', 'nem vendéglátás', 'not catering'),
    (38, 'EGYEB', 'KORNYEZETBARAT_CSOMAGOLAS', 'környezetbarát csomagolás', 'eco-friendly packaging'),
    (39, 'EGYEB', 'MUANYAG_CSOMAGOLAS', 'műanyag csomagolás', 'plastic packaging'),
    (40, 'EGYEB', 'KEDVEZMENY', 'kedvezmény', 'discount')) s (n, main, code, hu, en) on s.main = m.code;

-- Whether a pair with this validity can be chosen at an instant.
create function ref.ntak_valid(valid_from date, valid_until date, at timestamptz) returns boolean
    language sql stable parallel safe
    return (at at time zone 'Europe/Budapest')::date
        between coalesce(valid_from, '-infinity'::date) and coalesce(valid_until, 'infinity'::date);

grant select on ref.ntak_category to public;
grant insert, update on ref.ntak_category to pult_platform;

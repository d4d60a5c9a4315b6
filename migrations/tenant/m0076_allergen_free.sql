-- Somebody has looked: it has none of the allergens that must be told. Without it an empty list may mean that nobody has.
alter table subproduct add column allergen_free boolean not null default false;

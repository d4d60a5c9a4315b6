-- What a guest says to pay with in cash, so that the change is brought along; null where nobody said it.

alter table orders add column pays_with numeric check (pays_with > 0);

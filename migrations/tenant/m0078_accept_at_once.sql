-- Orders that staff take by hand are accepted as they are placed, where the person may accept orders.

alter table pos_config add column accept_at_once boolean not null default false;

-- The audit log: names of fields in the line, salted details beside it, and the chain.
alter table audit add column fields text[] not null default '{}';
create index on audit (at);
create index on audit (record_id, at);

-- Without its salt nobody can guess what emptied details said.
alter table audit_detail add column salt bytea default uuid_send(gen_random_uuid());
alter table audit_detail alter column details drop not null;

-- Ledger: number and link of each line, written by control.seal_audit within ten seconds.
create table audit_seal (
    number       bigint primary key,
    audit_id     uuid not null unique,
    details_hash bytea not null,
    link         bytea not null
);

-- VAT rates that super admins add, rename and archive. A rate that is archived can no longer be chosen, and stays on what uses it:
-- no foreign key reaches from the partners' schemas to here.

alter table ref.vat
    add column archived_at timestamptz,
    add column version     bigint not null default 1;

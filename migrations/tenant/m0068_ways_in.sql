-- Reasons for taking back goods are a list of their own, and the links of an export end with the person who ordered it.
alter table storno_reason
    drop constraint storno_reason_used_for_check,
    add constraint storno_reason_used_for_check check (used_for in ('both', 'refusal', 'storno', 'pieces'));

alter table export_request
    -- The admin; none where a super admin or an earlier release ordered it.
    add column ordered_by uuid,
    -- The person has left: no file is made, and no link is sent.
    add column ended_at timestamptz;
create index on export_request (ordered_by) where ordered_by is not null and ended_at is null;

-- For readers: by what staff may have looked for a customer.
create view customer_contact as select id, first_name, last_name, phone_1, phone_2 from shadow_customer;

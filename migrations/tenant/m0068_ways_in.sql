-- Reasons for taking back goods are a list of their own, and the links of an export end with the person who ordered it.
-- The release before reads and writes used_for and does not know pieces: it sees them as reasons of a storno.
alter table storno_reason add column offered_for text check (offered_for in ('both', 'refusal', 'storno', 'pieces'));
update storno_reason set offered_for = used_for;
alter table storno_reason alter column offered_for set not null;
create function storno_reason_uses() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        new.offered_for := coalesce(new.offered_for, new.used_for);
    elsif new.offered_for = old.offered_for and new.used_for <> old.used_for then
        new.offered_for := new.used_for;
    end if;
    new.used_for := case new.offered_for when 'pieces' then 'storno' else new.offered_for end;
    return new;
end $$;
create trigger storno_reason_uses before insert or update on storno_reason
    for each row execute function storno_reason_uses();

alter table export_request
    -- The admin; none where a super admin or an earlier release ordered it.
    add column ordered_by uuid,
    -- The person has left: no file is made, and no link is sent.
    add column ended_at timestamptz;
create index on export_request (ordered_by) where ordered_by is not null and ended_at is null;

-- For readers: by what staff may have looked for a customer.
create view customer_contact as select id, first_name, last_name, phone_1, phone_2 from shadow_customer;

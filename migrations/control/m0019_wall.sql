-- `set_config` is the login role's and the owner's alone: it is taken from everybody else by what runs before this.

-- Waiting for a lock is set by a function of the owner's. What it sets holds until the transaction ends, as before.
alter function control.lock_patience(int) owner to pult_owner;
alter function control.lock_patience(int) security definer set search_path = '';

-- Which role a job's partner has; none when the partner is gone or being worked on.
create function control.enter_job(p_partner uuid) returns table (role text)
    language sql stable security definer set search_path = ''
begin atomic select pa.role from control.partner pa where pa.id = p_partner and pa.status in ('active', 'suspended'); end;

-- Which role a partner has, in whatever state it is, once there is its schema.
create function control.enter_made(p_partner uuid) returns table (role text)
    language sql stable security definer set search_path = ''
begin atomic select pa.role from control.partner pa where pa.id = p_partner and pa.schema_version is not null; end;

do $$
declare f regprocedure;
begin
    foreach f in array array['control.enter_job(uuid)', 'control.enter_made(uuid)']::regprocedure[] loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
        execute format('grant execute on function %s to pult_app', f);
    end loop;
end $$;

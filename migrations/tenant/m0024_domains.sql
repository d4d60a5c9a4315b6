-- `domain` is a host name of at least two labels in small letters (`kernel::DomainName`). Of older values scheme, port, path and
-- capital letters go; what is no such name even then goes too, also one with letters beyond ASCII.
update restaurant r
set domain = case when n.name ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
                   and n.name !~ '\.(0x[0-9a-f]*|[0-9]+)$' and length(n.name) <= 253 then n.name end
from (select id, regexp_replace(lower(trim(domain)), '^(https?://)?([^/?#:]*?)\.?(:[0-9]*)?([/?#].*)?$', '\2') as name
      from restaurant where domain is not null) n
where n.id = r.id;

-- An account is opened by its username or its e-mail, so neither may be the other of another account: then two accounts
-- would answer to one name. An e-mail has an @ and a username has none, which keeps every name unique over both columns.

-- Who took an e-mail for a username signs in by their own e-mail from now on, or by this name.
with renamed as (
  select id, lower(username) as before,
    left(replace(username, '@', '.'), 39 - length(id::text)) || '-' || id as username
  from users where strpos(username, '@') > 0
)
update users set
  username = renamed.username,
  search_text = replace(search_text, renamed.before, lower(renamed.username)),
  version = version + 1
from renamed where users.id = renamed.id;

alter table users add constraint users_names_apart
  check (strpos(username, '@') = 0 and (strpos(email, '@') > 0 or id = 0));

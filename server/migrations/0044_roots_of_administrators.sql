-- Where two administrators are wanted, nobody may be both: not by an account of their own that they promote, nor by one
-- that this one promotes. Each goes back, by who promoted whom, to one who was made from outside the API.

-- That one; null: this account itself was. Of no meaning where the account does not administer.
alter table users add column admin_root bigint references users (id);

-- Of the present ones the audit log knows who promoted them.
update users set admin_root = promotion.actor_id
from (
  select distinct on (subject_id) subject_id, actor_id from audit_log
  where action = 'user updated' and after ->> 'role' = 'ADMIN'
  order by subject_id, id desc
) as promotion
where users.id = promotion.subject_id and users.role = 'ADMIN' and promotion.actor_id <> users.id;
do $$ begin
  -- Bounded: two who promoted each other would go on without end.
  for step in 1..10 loop
    update users set admin_root = above.admin_root from users above
    where above.id = users.admin_root and above.admin_root is not null and above.admin_root <> users.id;
    exit when not found;
  end loop;
end $$;

-- Administrators are few among many: a change to an account looks at all of them, so that one always stays.
create index users_administrators on users (id) where role = 'ADMIN';

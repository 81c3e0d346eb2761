-- Who asked for the end of their account is few among many, and is read whoever asked first.
create index users_closing on users (closing_requested_at, id) where closing_requested_at is not null;

-- What accounts note about accounts, for themselves alone.
create table messages.account_notes (
  account_id bigint not null,
  about_id   bigint not null,
  note       text   not null,
  primary key (account_id, about_id)
);

create index account_notes_about on messages.account_notes (about_id);

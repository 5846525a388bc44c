-- First steps whose last step is not recorded yet: a handful of rows at any time.
create table steps (
  process         text        not null,
  key             text        not null,
  event_id        text        not null,
  correlation_id  text        not null,
  operation       text,
  stream          text        not null,
  since           timestamptz not null,
  position        int8        not null,
  data            jsonb       not null,
  guild_id        int8,
  account_id      int8,
  invite_code     text,
  replaced        text,
  primary key (process, key)
);

create index steps_by_age on steps (since, position);
create index steps_by_guild on steps (guild_id);
create index steps_by_account on steps (account_id);
create index steps_by_invite on steps (invite_code);
create index steps_by_replaced on steps (replaced);

-- Handles as a toy: every claim that stands, and how many each username has. The claims' order tells a lost or doubled event.
create table claims (
  username       text  not null,
  discriminator  int4  not null,
  account_id     int8  not null,
  primary key (username, discriminator)
);

create table totals (
  username  text  primary key,
  total     int4  not null default 0,
  events    int4  not null default 0
);

-- Every gift code, by a keyed hash. The code itself is sealed with a key of the instance.
create table gifts (
  gift         text         primary key,
  code         text         not null,
  unit         text         not null,
  quantity     int4         not null,
  -- Null for the system.
  created_by   int8,
  created_at   timestamptz  not null,
  revoked      boolean      not null default false,
  redeemed_by  int8,
  redeemed_at  timestamptz
);

create index gifts_by_creator on gifts (created_by, created_at desc, gift) where created_by is not null;

-- The application of every guild that has one, whatever its status.
create table applications (
  guild_id          int8         primary key,
  status            text         not null,
  description       text         not null,
  category_type     int4         not null,
  primary_language  text         not null,
  custom_tags       text[]       not null,
  applied_at        timestamptz  not null,
  reviewed_at       timestamptz,
  review_reason     text,
  removed_at        timestamptz,
  removal_reason    text
);

create index applications_by_status on applications (status, category_type);

-- The newest event that changed how a guild is found or placed: its listing, its name, its members. Guilds that never applied have
-- no row. A guild that is gone keeps its row, so that those who hold it hear of that: each process that searches holds the listed
-- ones in memory.
create table search_changes (
  guild_id  int8  primary key,
  position  int8  not null
);

create index search_changes_by_position on search_changes (position);

-- The decisions about each application, for those who review the next one. `listing` is what was decided on, null for a
-- withdrawal.
create table decisions (
  guild_id    int8         not null,
  position    int8         not null,
  kind        text         not null,
  reason      text,
  listing     jsonb,
  guild       jsonb,
  decided_at  timestamptz  not null,
  primary key (guild_id, position)
);

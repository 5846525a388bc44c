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

-- What each guild is searched by. A guild has its row from its creation on, because its name is told by other events than its
-- listing. Guilds that are not listed are in no index.
create table searched (
  guild_id           int8     primary key,
  is_listed          boolean  not null default false,
  category_type      int4,
  primary_language   text,
  custom_tags        text[]   not null default '{}',
  name_words         text[]   not null default '{}',
  tag_words          text[]   not null default '{}',
  description_words  text[]   not null default '{}'
);

create index searched_by_word on searched using gin ((name_words || tag_words || description_words)) where is_listed;
create index searched_by_tag on searched using gin (custom_tags) where is_listed;
create index searched_by_category on searched (category_type, guild_id) where is_listed;

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

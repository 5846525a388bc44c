-- Every entry that is listed. E-mail addresses are sealed with a key of the instance.
create table entries (
  entry_id          text         primary key,
  list              text         not null,
  scope             text,
  value             text         not null,
  category          text         not null,
  severity          int4         not null,
  match_subdomains  bool         not null,
  source_url        text,
  notes             text,
  content_type      text,
  reason            text,
  added_by          int8,
  added_at          timestamptz  not null
);

create index entries_by_list on entries (list, added_at desc, entry_id);

-- One row: how often entries were added, changed or removed. Whoever keeps a copy sees by it that there is something new.
create table changes (
  id     int4  primary key,
  count  int8  not null default 0
);

-- What accounts have of each other: a row for each view, which need not be the other's.
create table relationships (
  owner_id  int8         not null,
  other_id  int8         not null,
  -- 1 friend, 2 blocked, 3 incoming request, 4 outgoing request.
  type      int4         not null,
  since     timestamptz  not null,
  nickname  text,
  primary key (owner_id, other_id)
);

create index relationships_by_other on relationships (other_id, owner_id);

-- Whose key wraps the keys: noted by the first server, and compared by every process that opens the instance.
create table personal_data.instance_key (
  only_row    boolean primary key default true check (only_row),
  fingerprint text    not null
);

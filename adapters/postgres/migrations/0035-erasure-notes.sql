-- What is noted of an account before it is erased: salted hashes, sealed with a key of the instance. A row goes with the proof of
-- the erasure, and after some months in any case.
create schema erasure_notes;
create table erasure_notes.notes (
  account_id bigint primary key,
  sealed     bytea not null,
  noted_at   timestamptz not null default now()
);

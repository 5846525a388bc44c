-- What programs of before the ledger have left in databases that they made, and what they lacked in tables that were there.
-- No program since uses the function: those that do have to end before this runs (docs/operating.md).
drop function if exists event_store.append_batch(jsonb);
drop index if exists messages.paces_by_age, messages.thread_paces_by_age;
alter table http.idempotency_keys set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

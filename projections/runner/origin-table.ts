/**
 * The first event of the store that the read models were made from, and where it stands: by both that store is known again, and
 * not taken for one to which its history was moved.
 */
export const originTable =
  'create table if not exists read_models.origin (event_id uuid not null, position int8 not null)'

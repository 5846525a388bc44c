create schema if not exists tickets;

create table if not exists tickets.tickets (
  -- SHA-256 of the kind and the ticket.
  id          bytea       primary key,
  kind        text        not null,
  -- The account that owns the ticket, if any.
  subject     text,
  payload     bytea       not null,
  -- Grows with every change of the payload.
  revision    integer     not null default 0,
  expires_at  timestamptz not null
);

create index if not exists tickets_by_age on tickets.tickets (expires_at);
create index if not exists tickets_by_subject on tickets.tickets (subject, kind) where subject is not null;

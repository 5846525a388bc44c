-- Every event of the store by what one may ask for it. The event itself stays in the store: nothing personal is here.
create table events (
  position        int8        not null,
  event_id        uuid        not null,
  stream          text collate "C" not null,
  revision        int4        not null,
  type            text collate "C" not null,
  at              timestamptz not null,
  -- The id of an account, or the name of a part of the system, which is no number.
  actor           text collate "C" not null,
  correlation_id  text collate "C" not null,
  causation_id    text collate "C" not null,
  -- The entry of the admin audit log that it belongs to.
  entry_id        int8,
  primary key (position)
);

create index events_by_id on events (event_id);
create index events_by_stream on events (stream, revision);
create index events_by_type on events (type, position);
create index events_by_actor on events (actor, position);
create index events_by_correlation on events (correlation_id, position);
create index events_by_entry on events (entry_id, position) where entry_id is not null;

-- Which streams concern an account, a guild, a channel, an invite or anything else that has an id, besides the streams with that id.
create table subjects (
  subject   text collate "C" not null,
  -- Of the event that names the subject in its stream. Streams are listed in its order.
  position  int8 not null,
  primary key (subject, position)
);

-- Which events hold, by their types, something personal of an account, or of a purchase, whose secrets have a key of their own.
create table personal (
  holder    int8 not null,
  position  int8 not null,
  primary key (holder, position)
);

-- Requests by the ids that their clients chose. Several may have the same.
create table requests (
  client_request_id  text collate "C" not null,
  correlation_id     text collate "C" not null,
  -- Of the newest event that the request wrote itself.
  position           int8 not null,
  primary key (client_request_id, correlation_id)
);

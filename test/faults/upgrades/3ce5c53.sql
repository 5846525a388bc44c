-- The tables beside history as commit 3ce5c53 laid them: its tables.sql files one after the other, without comments. The
-- rows are what that program wrote where an account registered, asked for a mail to recover its password, made a guild and
-- changed a channel, under the PERSONAL_DATA_KEY of the bytes "guildhall-fixture-key-0123456789". Rows of tables in which that
-- left none are made up, and stand at the end.

-- adapters/reservations/tables.sql

create schema if not exists admission;

create table if not exists admission.reservations (
  id         uuid        primary key,
  ticket     bigint      not null generated always as identity,
  key        text        not null check (length(key) <= 200),
  expires_at timestamptz not null
);

create index if not exists reservations_in_turn on admission.reservations (key, ticket);

create or replace function admission.ahead_of(ids uuid[], keys text[])
returns table (reservation uuid, ahead integer) language plpgsql
  set enable_seqscan = off
as $$
begin
  return query
    select ranked.id, ranked.ahead
    from (
      select r.id, (row_number() over (partition by r.key order by r.ticket) - 1)::integer as ahead
      from admission.reservations r
      where r.key = any (keys) and r.expires_at > clock_timestamp()
    ) ranked
    where ranked.id = any (ids);
end
$$;

create or replace function admission.reserve(ids uuid[], keys text[], life interval)
returns table (reservation uuid, ahead integer) language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1196771672, locked.hash)
  from (select distinct hashtext(given.key) as hash from unnest(keys) as given (key) order by 1) locked;

  insert into admission.reservations (id, key, expires_at)
  select given.id, given.key, clock_timestamp() + life from unnest(ids, keys) as given (id, key);

  return query select * from admission.ahead_of(ids, keys);
end
$$;

create or replace function admission.give_up(ids uuid[])
returns void language plpgsql
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from admission.reservations where id = any (ids);
end
$$;

-- adapters/background-jobs/tables.sql

create schema if not exists background_jobs;

create table if not exists background_jobs.jobs (
  job_id            int8         primary key,
  task              text         not null,
  status            text         not null,
  payload           jsonb        not null,
  work              jsonb,
  done              int4         not null default 0,
  total             int4         not null,
  error_message     text,
  requested_by      int8         not null,
  reason            text,
  command_id        text         not null,
  attempts          int4         not null default 0,
  cancel_requested  bool         not null default false,
  created_at        timestamptz  not null,
  run_at            timestamptz  not null default now(),
  started_at        timestamptz,
  completed_at      timestamptz
);

create index if not exists jobs_by_age on background_jobs.jobs (created_at desc, job_id desc);
create index if not exists jobs_at_hand on background_jobs.jobs (run_at) where status in ('queued', 'running');

-- adapters/bus/nats/tables.sql

create schema if not exists bus;

create table if not exists bus.publisher_checkpoints (
  carrier text primary key,
  position bigint not null
);

-- adapters/event-store/postgres/tables.sql

create schema if not exists event_store;

create table if not exists event_store.events (
  position bigint generated always as identity primary key,
  stream text collate "C" not null,
  revision integer not null,
  event_id uuid not null unique,
  type text not null,
  data jsonb not null,
  metadata jsonb not null,
  unique (stream, revision)
);

create table if not exists event_store.snapshots (
  stream text collate "C" primary key,
  state_version integer not null,
  revision integer not null,
  state jsonb not null
);

create or replace function event_store.append_events(
  batch jsonb,
  out before bigint,
  out outcomes text[],
  out revisions integer[],
  out positions bigint[]
)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  asked record;
  earlier record;
  stream_now text;
  revision_now integer;
  total integer := jsonb_array_length(batch);
  bases integer[] := array_fill(null::integer, array[total]);
  drawn bigint[];
  written integer := 0;
begin
  outcomes := array_fill(null::text, array[total]);
  revisions := bases;
  positions := array_fill(null::bigint, array[total]);
  perform pg_advisory_xact_lock(1196771660, 1);
  select coalesce(max(e.position), -1) into before from event_store.events e;

  for asked in
    select
      r.turn::integer as turn,
      r.item ->> 'stream' as stream,
      (r.item -> 'expected')::integer as expected,
      jsonb_array_length(r.item -> 'events') as count,
      s.revision,
      case when s.revision is not null then (
        select e.position from event_store.events e where e.event_id = (r.item -> 'events' -> 0 ->> 'id')::uuid
      ) end as known
    from jsonb_array_elements(batch) with ordinality r (item, turn)
    cross join lateral (
      select max(e.revision) as revision from event_store.events e where e.stream = r.item ->> 'stream'
    ) s
    order by 2, 1
  loop
    if asked.stream is distinct from stream_now then
      stream_now := asked.stream;
      revision_now := coalesce(asked.revision, -1);
    end if;
    if asked.known is not null then
      select count(*) = asked.count as whole, max(e.revision) as revision, max(e.position) as position into earlier
      from jsonb_array_elements(batch -> (asked.turn - 1) -> 'events') n (item)
      cross join lateral (
        select * from event_store.events e
        where e.event_id = (n.item ->> 'id')::uuid and e.stream = asked.stream limit 1
      ) e;
      outcomes[asked.turn] := case when earlier.whole then 'repeated' else 'taken' end;
      revisions[asked.turn] := earlier.revision;
      positions[asked.turn] := earlier.position;
    elsif asked.expected is distinct from revision_now then
      outcomes[asked.turn] := 'conflict';
      revisions[asked.turn] := revision_now;
    else
      outcomes[asked.turn] := 'appended';
      bases[asked.turn] := revision_now;
      revision_now := revision_now + asked.count;
      revisions[asked.turn] := revision_now;
    end if;
  end loop;

  with inserted as (
    insert into event_store.events (stream, revision, event_id, type, data, metadata)
    select
      r.item ->> 'stream',
      bases[r.turn] + n.ordinal,
      (n.item ->> 'id')::uuid,
      n.item ->> 'type',
      n.item -> 'data',
      n.item -> 'metadata'
    from jsonb_array_elements(batch) with ordinality r (item, turn)
    cross join lateral jsonb_array_elements(r.item -> 'events') with ordinality n (item, ordinal)
    where bases[r.turn] is not null
    order by r.turn, n.ordinal
    returning position
  )
  select array_agg(i.position order by i.position) into drawn from inserted i;
  if drawn is null then
    return;
  end if;
  perform pg_notify('event_store_events', drawn[cardinality(drawn)]::text);
  for turn in 1 .. total loop
    if bases[turn] is not null then
      written := written + revisions[turn] - bases[turn];
      positions[turn] := drawn[written];
    end if;
  end loop;
end
$$;

-- adapters/followers/tables.sql

create schema if not exists followers;

create table if not exists followers.checkpoints (
  name      text  primary key,
  position  int8  not null
);

-- adapters/http/brakes/tables.sql

create schema if not exists network_failures;

create unlogged table if not exists network_failures.scores (
  key    bytea            primary key,
  score  double precision not null,
  at_ms  double precision not null
) with (fillfactor = 50);

-- adapters/http/idempotency/tables.sql

create schema if not exists http;

create table if not exists http.idempotency_keys (
  id             bytea       primary key,
  fingerprint    bytea       not null,
  command_id     uuid        not null,
  started_at     timestamptz not null default clock_timestamp(),
  sealed_recipe  bytea       not null,
  sealed_answer  bytea
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

alter table http.idempotency_keys add column if not exists turn bigint not null default 0;
alter table http.idempotency_keys add column if not exists held_until timestamptz;
alter table http.idempotency_keys alter column started_at set default clock_timestamp();

create index if not exists idempotency_keys_by_age on http.idempotency_keys (started_at);

-- adapters/http/limits/tables.sql

create schema if not exists rate_limits;

create unlogged table if not exists rate_limits.buckets (
  key       bytea            primary key,
  requests  double precision not null,
  seconds   double precision not null,
  at_ms     double precision not null,
  owed_ms   double precision not null,
  asked     integer          not null,
  admitted  integer          not null
) with (fillfactor = 50);

create or replace function rate_limits.admitted(
  owed_ms double precision,
  requests double precision,
  seconds double precision,
  asked integer
)
  returns integer
  language sql
  immutable
  parallel safe
as $$
  select least(asked, greatest(0, floor((seconds * 1000 + 1e-6 - owed_ms) / (seconds * 1000 / requests))))::integer
$$;

-- adapters/ids/tables.sql

create schema if not exists ids;

create table if not exists ids.worker_leases (
  id         integer     primary key check (id between 0 and 1023),
  holder     uuid,
  expires_at timestamptz not null
);

create table if not exists ids.highest (
  only_row boolean primary key default true check (only_row),
  ms       bigint  not null
);

insert into ids.worker_leases (id, expires_at)
select id, '-infinity' from generate_series(0, 1023) as id
on conflict do nothing;

-- adapters/jobs/tables.sql

create schema if not exists job_workers;

create table if not exists job_workers.workers (
  name     text        primary key,
  seen_at  timestamptz not null
);

create table if not exists job_workers.turns (
  name      text        primary key,
  taken_at  timestamptz not null
);

-- adapters/mail/tables.sql

create schema if not exists mail;

create table if not exists mail.outbox (
  id          bigint      generated always as identity primary key,
  key         bytea       not null unique,
  state       text        not null check (state in ('waiting', 'kept', 'parked', 'done')),
  sealed      bytea,
  created_at  timestamptz not null default now(),
  tries       integer     not null default 0,
  due_at      timestamptz not null default now(),
  failure     text,
  check ((sealed is null) = (state = 'done'))
);

alter table mail.outbox add column if not exists account_id bigint;

create index if not exists outbox_by_account on mail.outbox (account_id) where state <> 'done';
create index if not exists outbox_due on mail.outbox (due_at) where state = 'waiting';
create index if not exists outbox_shown on mail.outbox (id) where state in ('kept', 'parked');
create index if not exists outbox_done on mail.outbox (created_at) where state = 'done';

-- adapters/messages/tables.sql

create schema if not exists messages;

create table if not exists messages.messages (
  id                bigint      not null,
  channel_id        bigint      not null,
  guild_id          bigint,
  author_id         bigint      not null,
  type              smallint    not null,
  flags             integer     not null,
  content           text        not null,
  edited_at         timestamptz,
  tts               boolean     not null,
  mentions_everyone boolean     not null,
  mentions_here     boolean     not null,
  mentions          bigint[]    not null,
  mention_roles     bigint[]    not null,
  reference         jsonb,
  nonce             text,
  primary key (channel_id, id)
) partition by range (id);

create index if not exists messages_by_author on messages.messages (author_id, channel_id, id);

create or replace function messages.lay_month(name text, low bigint, high bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1196771690, 2);
  if exists (select from pg_class where relnamespace = 'messages'::regnamespace and relname = name) then return; end if;
  execute format('create table messages.%I (like messages.messages including all)
    with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)', name);
  execute format('alter table messages.messages attach partition messages.%I for values from (%s) to (%s)', name, low, high);
end
$$;

create table if not exists messages.paces (
  channel_id bigint not null,
  author_id  bigint not null,
  last_id    bigint not null,
  primary key (channel_id, author_id)
);

alter table messages.paces add column if not exists taken_at timestamptz not null default clock_timestamp();
create index if not exists paces_by_time on messages.paces (taken_at);

create table if not exists messages.thread_paces (
  channel_id bigint not null,
  author_id  bigint not null,
  last_id    bigint not null,
  primary key (channel_id, author_id)
);

alter table messages.thread_paces add column if not exists taken_at timestamptz not null default clock_timestamp();
create index if not exists thread_paces_by_time on messages.thread_paces (taken_at);

create table if not exists messages.posted_once (
  id         bigint not null,
  channel_id bigint not null,
  primary key (id, channel_id)
);

alter table messages.posted_once add column if not exists message_id bigint;
alter table messages.posted_once add column if not exists kept_until timestamptz not null
  default clock_timestamp() + interval '7 days';
create index if not exists posted_once_by_end on messages.posted_once (kept_until);

create table if not exists messages.unrecorded_deletions (
  entry_id       bigint      primary key,
  guild_id       bigint      not null,
  channel_id     bigint      not null,
  message_id     bigint,
  count          integer     not null,
  deleted_by     bigint      not null,
  at             timestamptz not null,
  command_id     text        not null,
  correlation_id text        not null,
  causation_id   text        not null,
  reason         text
);

create index if not exists unrecorded_deletions_by_age on messages.unrecorded_deletions (at, entry_id);

create table if not exists messages.removed_channels (
  channel_id bigint      primary key,
  removed_at timestamptz not null default clock_timestamp()
);

create index if not exists removed_channels_by_age on messages.removed_channels (removed_at);

create table if not exists messages.tallies (
  channel_id    bigint  primary key,
  message_count integer not null,
  sent_count    integer not null
);

create sequence if not exists messages.notice_numbers cache 1;

create or replace function messages.next_number() returns bigint language plpgsql volatile as $$
begin
  perform pg_current_xact_id();
  return nextval('messages.notice_numbers');
end
$$;

create table if not exists messages.notices (
  number       bigint      primary key default messages.next_number(),
  written_at   timestamptz not null default clock_timestamp(),
  kind         text        not null,
  channel_id   bigint      not null,
  channel_type smallint    not null,
  guild_id     bigint,
  parent_id    bigint,
  recipients   bigint[],
  after        bigint      not null,
  message_ids  bigint[]    not null,
  author_id    bigint
);

create table if not exists messages.trimmed (
  only_row boolean primary key default true check (only_row),
  up_to    bigint  not null
);

insert into messages.trimmed (up_to) values (0) on conflict do nothing;

-- adapters/personal-data/tables.sql

create schema if not exists personal_data;

create table if not exists personal_data.keys (
  account_id bigint primary key,
  wrapped_key bytea,
  destroyed_at timestamptz,
  check ((wrapped_key is null) = (destroyed_at is not null))
);

-- adapters/session-activity/tables.sql

create schema if not exists session_activity;

create table if not exists session_activity.sessions (
  token_hash    text        primary key,
  last_used_at  timestamptz not null
);

create index if not exists sessions_by_age on session_activity.sessions (last_used_at);

-- adapters/started-sessions/tables.sql

create schema if not exists started_sessions;

create table if not exists started_sessions.accounts (
  account_id  int8  primary key
);

-- adapters/tickets/tables.sql

create schema if not exists tickets;

create table if not exists tickets.tickets (
  id          bytea       primary key,
  kind        text        not null,
  subject     text,
  payload     bytea       not null,
  revision    integer     not null default 0,
  expires_at  timestamptz not null
);

create index if not exists tickets_by_age on tickets.tickets (expires_at);
create index if not exists tickets_by_subject on tickets.tickets (subject, kind) where subject is not null;

-- projections/runner

create schema if not exists read_models;

create table if not exists read_models.checkpoints (
  schema text primary key,
  name text not null,
  version int4 not null,
  position int8 not null,
  event_id uuid
) with (fillfactor = 50);

do $$ begin
  if not exists (select from pg_attribute where attrelid = 'read_models.checkpoints'::regclass and attname = 'event_id') then
    alter table read_models.checkpoints add column event_id uuid;
  end if;
end $$;

create or replace function read_models.move_checkpoints(
  before int8, after int8, event uuid, own text[], tables text[], known text[], versions int4[]
) returns void language plpgsql as $$
declare
  moved int4;
  matching int4;
begin
  with m as (
    update read_models.checkpoints c set position = after, event_id = coalesce(event, c.event_id)
    where c.position = before and (c.schema, c.version) in (select * from unnest(known, versions))
    returning c.schema, to_regnamespace(quote_ident(c.schema))::oid::text as tables_id
  )
  select count(*), count(*) filter (where (m.schema, m.tables_id) in (select * from unnest(own, tables)))
  into moved, matching from m;
  if moved <> cardinality(own) or matching <> cardinality(own) then
    raise exception 'read models are not at %', before using errcode = 'GH001';
  end if;
end
$$;

create table if not exists read_models.origin (
  event_id uuid not null,
  position int8 not null
);

create table if not exists read_models.parked (
  schema text not null,
  stream text not null,
  position int8 not null,
  event_id uuid not null,
  type text not null,
  cause text not null,
  reason text not null,
  primary key (schema, stream)
);

create unlogged table if not exists read_models.whole (since timestamptz not null);

insert into event_store.events (position, stream, revision, event_id, type, data, metadata) overriding system value values
  (1, 'email_address-cd63e8588872dae018135944f14e5cbed97a25fcad941146a06ac6754a7d3aa8', 0, '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', 'EmailAddressClaimed', '{"accountId": "1574325639341670400", "addressHash": "cd63e8588872dae018135944f14e5cbed97a25fcad941146a06ac6754a7d3aa8"}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (2, 'handle-ada', 0, '01a2074d-ffb7-7250-b916-c777b8771023', 'HandleClaimed', '{"username": "ada", "accountId": "1574325639341670400", "discriminator": 8315}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (3, 'instance-self', 0, '01a2074d-ffb7-7df9-9f88-ed2df80c186d', 'AccountIdentityFixed', '{"signIn": "email", "fixedAt": "2026-11-23T07:28:01.975Z", "tagStyle": "discriminator"}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (4, 'account-1574325639341670400', 0, '01a2074d-ffb7-7b6a-98f7-4edde672b0e0', 'AccountRegistered', '{"email": {"$sealed": "v1.H6zMjgaWntiFlLS+Ooi57B7UJMLfEoNLXMbGmvTBLKnwa3+ow/EMF3Uv2hsJ"}, "locale": "en-US", "username": "ada", "accountId": "1574325639341670400", "globalName": null, "dateOfBirth": {"$sealed": "v1.ycWTQeyyK6/G+822PfhreBgw15BSmBNcyv/1oAdocbG80+qASBO7aQ=="}, "passwordHash": {"$sealed": "v1.ECF5dQ5eIr2fEeUAeBrZM3yQ48kGpkWcxubBbUPr79qQfRhkab1L4l/SlpB8L0punAKpw5V2OFP7tSLDATphZMCR7U5/Wzm6qUUIwROLrZMNSXo2KlYz5Y/BQ7RL/MS/ZhqkdykGSsxduaqv5WsHivEhaSxYcqFIDAgB21s+4A=="}, "registeredAt": "2026-11-23T07:28:01.975Z", "discriminator": 8315, "emailVerified": true}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (5, 'account-1574325639341670400', 1, '01a2074d-ffb7-7a6e-b48d-a7fe876c209a', 'IpAddressAuthorized', '{"network": {"$sealed": "v1.F1WoDfFMymbexD+rGPNpbOPAiYVWDY8EM0NNfsGFQQK6ChzO/Lso9jYr"}, "accountId": "1574325639341670400", "authorizedAt": "2026-11-23T07:28:01.975Z"}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (6, 'account-1574325639341670400', 2, '01a2074d-ffb7-7385-b047-e57e57627bfe', 'SessionStarted', '{"ip": {"$sealed": "v1.7uqRrdwi3M6lpAC6WN1U2797yC1480ChRezrhQd6069ADQ8O73pa"}, "accountId": "1574325639341670400", "startedAt": "2026-11-23T07:28:01.975Z", "tokenHash": "F8KtnhQ5PpWOdPFRIBeA5k92RuaQMoNj8KW7oINv6tI", "userAgent": {"$sealed": "v1.cp7EFzcg/BhQ5fnAv9Z5shZRCHKNlheWPtIyzRSlEpXVzthb40x30xw="}}', '{"at": "2026-11-23T07:28:01.975Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074d-ffb7-70a2-b51d-8f7e525d640e", "correlationId": "acae8a34-3666-47e7-9396-59211f161773", "schemaVersion": 1}'),
  (7, 'guild-1574325644395806720', 0, '01a2074e-046c-7a4f-80c5-d7c09fedde62', 'GuildCreated', '{"name": "Fixture", "guildId": "1574325644395806720", "ownerId": "1574325639341670400", "features": ["ANIMATED_ICON", "ANIMATED_BANNER", "BANNER", "INVITE_SPLASH"], "createdAt": "2026-11-23T07:28:03.180Z"}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 1}'),
  (8, 'guild-1574325644395806720', 1, '01a2074e-046c-75f5-9efe-1506f8f69df2', 'RoleCreated', '{"role": {"id": "1574325644395806720", "name": "@everyone", "color": 0, "hoist": false, "position": 0, "mentionable": false, "permissions": "18023710102769217", "unicodeEmoji": null, "hoistPosition": null}, "guildId": "1574325644395806720", "founding": true}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 2}'),
  (9, 'guild-1574325644395806720', 2, '01a2074e-046c-7eec-b48d-c821e0f88de3', 'ChannelCreated', '{"channel": {"id": "1574325644395806721", "url": null, "name": "Text Channels", "nsfw": false, "type": 4, "forum": null, "topic": null, "voice": null, "threads": null, "parentId": null, "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325644395806720", "founding": true}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 2}'),
  (10, 'guild-1574325644395806720', 3, '01a2074e-046c-7320-aa14-b61b073aa057', 'ChannelCreated', '{"channel": {"id": "1574325644395806722", "url": null, "name": "Voice Channels", "nsfw": false, "type": 4, "forum": null, "topic": null, "voice": null, "threads": null, "parentId": null, "position": 1, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325644395806720", "founding": true}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 2}'),
  (11, 'guild-1574325644395806720', 4, '01a2074e-046c-7a26-a1cd-79739f6a7869', 'ChannelCreated', '{"channel": {"id": "1574325644395806723", "url": null, "name": "general", "nsfw": false, "type": 0, "forum": null, "topic": null, "voice": null, "threads": {"rateLimitPerUser": 0, "autoArchiveDuration": 4320}, "parentId": "1574325644395806721", "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325644395806720", "founding": true}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 2}'),
  (12, 'guild-1574325644395806720', 5, '01a2074e-046c-74bf-aa48-a5216a9fde16', 'ChannelCreated', '{"channel": {"id": "1574325644395806724", "url": null, "name": "General", "nsfw": false, "type": 2, "forum": null, "topic": null, "voice": {"bitrate": 64000, "rtcRegion": null, "userLimit": 0, "connectionLimit": 5}, "threads": null, "parentId": "1574325644395806722", "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325644395806720", "founding": true}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 2}'),
  (13, 'guild-1574325644395806720', 6, '01a2074e-046c-7660-aeed-7501a44a08fe', 'GuildSettingsChanged', '{"guildId": "1574325644395806720", "settings": {"systemChannelId": "1574325644395806723"}}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7c8c-a194-beb2be616a1e", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 1}'),
  (14, 'membership-1574325644395806720-1574325639341670400', 0, '01a2074e-046c-765a-af41-5b8df15e0760', 'MemberJoined', '{"guildId": "1574325644395806720", "joinedAt": "2026-11-23T07:28:03.180Z", "accountId": "1574325639341670400", "admission": {"by": "founding"}, "temporary": false}', '{"at": "2026-11-23T07:28:03.180Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-046c-7a4f-80c5-d7c09fedde62", "correlationId": "12957456-7b55-45e2-91da-ff0b34ab291c", "schemaVersion": 1}'),
  (15, 'guild-1574325644395806720', 7, '01a2074e-0a65-7670-9e55-e54edfb2d528', 'ChannelChanged', '{"after": {"rateLimitPerUser": 5}, "before": {"rateLimitPerUser": 0}, "guildId": "1574325644395806720", "channelId": "1574325644395806723", "channelType": 0}', '{"at": "2026-11-23T07:28:04.709Z", "actor": {"id": "1574325639341670400", "kind": "account"}, "causationId": "01a2074e-0a65-7ebb-90ba-63662f4d7d20", "correlationId": "4a2dab85-ac86-4fe7-a6b4-55772363c3a2", "schemaVersion": 1}');
insert into followers.checkpoints (name, position) overriding system value values
  ('threads', '-1'),
  ('ban_messages', '-1'),
  ('joins', 14),
  ('system_messages', 14);
insert into http.idempotency_keys (id, fingerprint, command_id, started_at, sealed_recipe, sealed_answer, turn, held_until) overriding system value values
  (E'\\xad230a43f3f46bb96d38146fe822336ba6d86126e5efb3010210df5ad95f6ecd', E'\\xcada198597223aff9e748611ffba4ac8bd041352f33e2cd1a8d4dc2067b7d221', '01a2074d-ffb7-70a2-b51d-8f7e525d640e', '2026-11-23 07:28:01.977825+00', E'\\xd6a9aa82b6e0b0851064cfda69f84b6e03848d108cba8e99cf55c80bdbd5bbb0f6d3143c328163285c6ffd6e16ca66ab0fa208ad90a2cd1b9a20c9c2e68a10934836bd37fed2f76d6ed199d19463c221d013f02aacc2f00c156de0844dff506c4a129fffd23e9b1963d13375d9c35f9006f8932b12e61557544607fd01e56ccb2fa10c873b5aba8f703e5f55599a510c19a0c47a5146755baade3d3b5013df65699d50c6db764bdfde6c77549cc5488c7075a111563d7a13eef1871c8ab72e3566ef286faecab79b20201354d50c0244ccbc6cd538b9d944ddb3c90e22', E'\\x3e236335b24bb88309f60f1b9d1d2c1fdbbaf07c7120a8e6622da93a794346cdd4ac6a6101a2713f9c43fa60790d223e57655cf9d540430a43157b37b8044fea20b1de51c3c424606897a052242000e70c523e4d912130d366f26abe381c581d534a85fe4c750c73d7390a17898aa559d5d4052fd6c277cca3b2f571910d1725f65fe4b23ea1c1aa0df77cd0a4f97e9d3b15f43775dd82ceb41fed08c4c20cf661f91a32ca8916cdcdbed016a528c03fe370528732d19c773e6538573e59c18f1c4d42479448e37dfb5c4dba66f4683daf01f451deab212dc53b3be99b971ae2af15d45d5bced137cddc040457b253f973da06eb58f20453dadd523a43cdd9794f8e9e1b4a91ddeb31407eabdc7f805ce2f3492033f2ece6ad25a24acfa3859979aa2ae78af574a6e290cb161a144980fd9d1915839cfd3aec715316575fe348a72749560d683b8318c30c296541f3a9bdb8399dabd704045ea53bf8f8a0119f873e2f962f86c642173ee689ab238c8d87e1a1f8c124a2d722fccead254c230619091735652d6ded5f4a368a6d8e', 1, NULL),
  (E'\\x4e15f3bca70a62fd8c39b50f00aee35b8ebd94c704555e3734491c1688e65fc7', E'\\xc8c074d3e340038251e7c438432d87816dc51a219d494623801d32654caf6ce8', '01a2074e-046c-7c8c-a194-beb2be616a1e', '2026-11-23 07:28:03.183907+00', E'\\xed2a90926694d8147fcf38bccb1bcb23af0cf9f5360a0d5e511410f51058516460951cca8d791fc76ba62afe8bd0751f7ef9c7f3043952fb3f1b6d9b6f2a3375519bfe9582a6ada4c1fbe2b301f6597f950d195a287d5577c130490fc677ad9fa5be7375950d667d44e21789d08adebc2125c8814c3d197b841b6827957ba5c4a7b043230a92bd8e28c37b176cf9c6d71c6a6d6cf436effb1f916a3b323f44c9a69cfe35a88b10189a21bcd400f3541bcc105c751ea2806efe24c2c33032a536b8b072b28c06adfe70643fe34e0d2663fe818bbbea2bf6d2d4d78ce5ac', E'\\x23b15c3a7c9bda7eb9f4c9e0570b2823acedf42d0b625f41d472c4d31511b4ab80787a9a26f1f408934888df72c588f67d642a0e4d6b5a53c496060c780e4b9430f94e355947c9ec08f737502ecfdacbb7ef8806e855e601033986fdd5231e2d04398d6004d8c9be3dafaed936e413cde2a1f5ee0c33df36ed5e2299d0b1a69d5d202673cd3778f865c2c144f4a2200e3033e2c464ee335b4989ef349002be8d517f3e9547211fdf8cfd447718d47d27783dca23e0eacf0daebd205597f81f9b843b535bbb7853a4e9173a68f2683c96f4e1428083b096aaea56379843c80e3f82c3201a3140d69bfba67ef967973b33ca83705e702760c4e6dfc0fcb30995a748c3852c9777f8a9eb59d56640f7ac1272ca9c88ac24f1f21625185a2b0a9633f70fb80c35157b78c9defa52e3243052e68fbbafb673d76b72b6ac7c5f09018b065d9b74e9e5cccd142d607a112f343d0e24ec57131a4427d5f55041190915564e7c29f3a5802d357cb8427c7ec3942dbd6da45735ac75fec0ee2f0f0e40afcb707c42ac9c779ef785dfb6742d21ab8763fc779f55eda5b9f1d23b6f270b4e5c7f2b9b193f1f3a3fbcb8c1bdc49dfea6f86ec157fb235aa1a6263b833efcc83261ac7ac3f0787dbb748b902116c6d785e071de27fc612859789c3b0b4a051ec4f8a60bc9ad6e84de109abcf81afb9f357c2fce2f5bbc6c2435dd951b74e0c92f51becefa96faeed747b5164911d0ff2c126faf72d16a793bfb37aec39578e096db5aa9d1fb45ff5e878f0bcdf3a574a1f1c120ac0b45fe596d67f50548195b776190d9086a57767008f1a5e378eaf2ff25cd2169859cc799fd48cb7e4ea774f7a7721a25adf2c2848c5ed3d780cd844ca24760a109d1b3827a91a9bcf144a6e71353eadeec949afe78422447692b10e48bb77f79f43c6cdc2278bde2abb02178d9e49f02b78a3da6c3c4b8988c45f40ab93d12822b0ceb474a0ac54ca3aed6081dd3fb083111391060cd9761b51d3134455977cf207b94986305afbdce0e1150ed3b9a9f0ee3ab0caa839f55b15e8d8f5ab3078c5a52895221b4e01607c52bd4ab82ba628dd8441a5f712ad334da3ad60f3451e534e9236c3ed41803a15b5477c2ee32ccad403e25b4f6cbd8b561195ad6dc4ccbd97d7d9087d887e358c568130e9e935e1197fbab7b282a8ce20e19ded459ab4678455a3b9c909208cb3040e2f6049ed042eea306fe6b6325ef2a28a21421f45d22946c37c5e17d60ff8dda77ea20c2b4d6f413d4170fca2c7ac11c7154d17f1fe24958b5348af402822a1ad4213c07b0db703e05', 1, NULL);
insert into ids.highest (only_row, ms) overriding system value values
  ('true', 1795418884906);
insert into job_workers.turns (name, taken_at) overriding system value values
  ('sweep_background_jobs', '2026-11-23 07:28:00.491575+00'),
  ('remove_leftover_images', '2026-11-23 07:28:00.520955+00'),
  ('count_overdue_owners', '2026-11-23 07:28:00.522185+00'),
  ('queue_due_erasures', '2026-11-23 07:28:00.523453+00'),
  ('queue_unfinished_steps', '2026-11-23 07:28:05.501255+00'),
  ('record_left_deletions', '2026-11-23 07:28:05.526675+00'),
  ('give_back_jobs', '2026-11-23 07:28:05.544378+00'),
  ('queue_background_jobs', '2026-11-23 07:28:06.878047+00');
insert into job_workers.workers (name, seen_at) overriding system value values
  ('pool-0ef69e2f0cf103d663', '2026-11-23 07:28:05.526991+00');
insert into mail.outbox (id, key, state, sealed, created_at, tries, due_at, failure, account_id) overriding system value values
  (1, E'\\x61d4cc47c4ffc64c4071a02d165faa48e9de0171997f805c9e9bf76c7c37c979', 'kept', E'\\x01b4c5f4b8ed4073ce0791dde27eb15250ad9f3dfe60174d561adddef6729b6eac76073556c5bcd804b1a569aa7d90d6a169beda97dce8c6bf7975d4df642d44df8237917317a29bffb6165e462cbeec5d55d3c37a21371e1e2b3106f0aeb0ed5b013db30dc75c75e0808cf264b26ffe69cfa8cbc3263091e0ba2197c12cdaa3c8265d1863087c3b05540cef979f27631e6f696071730f75aefdcf71263bd9057869895e2e59bb480e33b4cc3e7abf814465fdc961980aebd59f0545e73dc81c4690b8072223571651cb989ee60774af6797499bc7c2dfd16c2bf12caafbadfdc986697765393496dd12d660a8ed17d30d573c71152c125401c299cc50dda334c08bcb5c1f95ff1eb4cef315f43277b2178f41e91b477961ad7d22d10bd0dfc1952e21e7f0d776847f9439c544a5c84d3ca68d66754705ab69fa33e60b2361087836baacf0a2e8b10ea11dfccdd4969af0ec99de31dcdf0405d7a2a16e700a8c692f34bc3a351448796fa09f231844cc5a8a4b8f4653da136fdda787d8fe8844918e1e9be6bbff6d4584e738f002cba2d533b169da07568be20f', '2026-11-23 07:28:03.774685+00', 0, '2026-11-23 07:28:03.774685+00', NULL, 1574325639341670400);
insert into personal_data.keys (account_id, wrapped_key, destroyed_at) overriding system value values
  (1574325639341670400, E'\\x010ebbfef0acea55a8b31ef3851a9d7aabdceefa8d928a0d03b6185125321d9d00ca3cd9e0f37e6e3334c3caecf2d55e3d03cdd6a9abea61fb08f99ed5', NULL);
insert into read_models.origin (event_id, position) overriding system value values
  ('01a2074d-ffb7-739e-9e07-ee0cd90bcd20', 1);
insert into tickets.tickets (id, kind, subject, payload, revision, expires_at) overriding system value values
  (E'\\xd7c52e738ecdd9b9981b4cb6292d711c2e14e3c9a694ef48dc729dac113322f2', 'reset_password', 1574325639341670400, E'\\x01107e054dd326d5450c1a37392563be1a19c4494d7d5134bd8c5f919a653126087caeca78cd726a18b2e1a988510b5f8e8cad332f6c08c3bcc86fee06a7be22f101fd97bbc228dcf3c7e439574ec6f7a3c9ec7d794e2ab18d5c28ca084c00cf874bf82f18efd4909e67678cdae468e9c05e4e77ed3afb54ce82e5e62f9017a8cd21e419fe294d8969a0f6205fc1ed7477', 0, '2026-11-23 08:28:03.548311+00');

-- Made up.
select messages.lay_month('m_2026_11', 1566240355123200000, 1577111991091200000);
insert into messages.messages (id, channel_id, guild_id, author_id, type, flags, content, tts, mentions_everyone, mentions_here, mentions, mention_roles)
values (1574325648590110723, 1574325644395806723, 1574325644395806720, 1574325639341670400, 0, 0, 'Hello from an earlier version', false, false, false, '{}', '{}');
insert into messages.paces (channel_id, author_id, last_id) values (1574325644395806723, 1574325639341670400, 1574325648590110723);
insert into messages.thread_paces (channel_id, author_id, last_id) values (1574325644395806723, 1574325639341670400, 1574325648590110723);
insert into messages.posted_once (id, channel_id) values (1574325648590110723, 1574325644395806723);
insert into messages.unrecorded_deletions (entry_id, guild_id, channel_id, message_id, count, deleted_by, at, command_id, correlation_id, causation_id, reason)
values (1574325648590110724, 1574325644395806720, 1574325644395806723, 1574325648590110725, 1, 1574325639341670400, now(), '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', null);
insert into messages.removed_channels (channel_id) values (1574325648590110726);
insert into messages.tallies (channel_id, message_count, sent_count) values (1574325648590110727, 2, 3);
insert into messages.notices (kind, channel_id, channel_type, guild_id, after, message_ids, author_id)
values ('created', 1574325644395806723, 0, 1574325644395806720, 15, '{1574325648590110723}', 1574325639341670400);
insert into background_jobs.jobs (job_id, task, status, payload, done, total, requested_by, command_id, attempts, created_at, started_at, completed_at)
values (1574325648590110728, 'ban_file_sha', 'completed', '{"category": "manual"}', 3, 3, 1574325639341670400, '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', 1, now(), now(), now());
insert into event_store.snapshots (stream, state_version, revision, state) values ('guild-1574325644395806720', 0, 2, '{}');
insert into session_activity.sessions (token_hash, last_used_at) values ('a hash of a token', now());
insert into started_sessions.accounts (account_id) values (1574325639341670400);
insert into network_failures.scores (key, score, at_ms) values ('\x00112233445566778899aabbccddeeff', 3, 1795000000000);
insert into rate_limits.buckets (key, requests, seconds, at_ms, owed_ms, asked, admitted)
values ('\x00112233445566778899aabbccddeeff', 5, 10, 1795000000000, 2000, 1, 1);
insert into admission.reservations (id, key, expires_at) values ('01a2074d-ffb7-739e-9e07-ee0cd90bcd20', 'guilds of 1574325639341670400', now() + interval '1 hour');
insert into bus.publisher_checkpoints (carrier, position) values ('nats', 7);
insert into read_models.checkpoints (schema, name, version, position) values ('retired', 'retired', 1, -1);
insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
values ('retired', 'guild-1574325644395806720', 8, '01a2074d-ffb7-739e-9e07-ee0cd90bcd20', 'GuildCreated', 'unreadable', 'a member is missing');
insert into read_models.whole values (now());
select setval(pg_get_serial_sequence('event_store.events', 'position'), (select max(position) from event_store.events));
select setval(pg_get_serial_sequence('mail.outbox', 'id'), (select max(id) from mail.outbox));

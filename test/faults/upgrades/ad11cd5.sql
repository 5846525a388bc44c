-- The tables beside history as commit ad11cd5 laid them: its tables.sql files one after the other, without comments. The
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

create or replace function event_store.append_batch(
  batch jsonb,
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
  started_at     timestamptz not null,
  sealed_recipe  bytea       not null,
  sealed_answer  bytea
);

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

create index if not exists paces_by_age on messages.paces (last_id);

create table if not exists messages.thread_paces (
  channel_id bigint not null,
  author_id  bigint not null,
  last_id    bigint not null,
  primary key (channel_id, author_id)
);

create index if not exists thread_paces_by_age on messages.thread_paces (last_id);

create table if not exists messages.posted_once (
  id         bigint not null,
  channel_id bigint not null,
  primary key (id, channel_id)
);

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
  position int8 not null
) with (fillfactor = 50);
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

insert into event_store.events (position, stream, revision, event_id, type, data, metadata) overriding system value values
  (1, 'email_address-cd63e8588872dae018135944f14e5cbed97a25fcad941146a06ac6754a7d3aa8', 0, '01a2074c-e147-7396-beae-882fa0333aee', 'EmailAddressClaimed', '{"accountId": "1574325331781746688", "addressHash": "cd63e8588872dae018135944f14e5cbed97a25fcad941146a06ac6754a7d3aa8"}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (2, 'handle-ada', 0, '01a2074c-e147-7916-808e-3bb27af697cc', 'HandleClaimed', '{"username": "ada", "accountId": "1574325331781746688", "discriminator": 2214}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (3, 'instance-self', 0, '01a2074c-e147-70a2-9a26-90255361185d', 'AccountIdentityFixed', '{"signIn": "email", "fixedAt": "2026-11-23T07:26:48.647Z", "tagStyle": "discriminator"}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (4, 'account-1574325331781746688', 0, '01a2074c-e147-745f-8171-01956e49546c', 'AccountRegistered', '{"email": {"$sealed": "v1.jtbcESnYl0m/S2WCHMpGOYScCRAdXogb2r96lpJDVoZYP9uvJ14pe39Knmzi"}, "locale": "en-US", "username": "ada", "accountId": "1574325331781746688", "globalName": null, "dateOfBirth": {"$sealed": "v1.v975UhBQydKKNyn2B+GEZMEYUx4Yi44LGMEqVGx8OSU4+VBoMg1GmQ=="}, "passwordHash": {"$sealed": "v1.LN7iPxEUhsOUEXVsKyxEtk/8GXh5FMdlSl9XnFgZuFVh42WbD0yD+oTtwF6SRpVNaQgLjhGY0ks38+04AYXnXtw3ulgyI98H4RDbcZ9TVNE5dlg/soBkfwlZwqUABF+zA3YfaiCZb3TuJZBwPfiC+rXiMUB6M7pP6XC0fJDe9A=="}, "registeredAt": "2026-11-23T07:26:48.647Z", "discriminator": 2214, "emailVerified": true}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (5, 'account-1574325331781746688', 1, '01a2074c-e147-78b5-8b08-8dd32ff0afd3', 'IpAddressAuthorized', '{"network": {"$sealed": "v1.4nrpOqLG2vLQiEQYhsvdS4p8y8nzR1/HH6TdXQ3n6MHevH2O60WFDKwV"}, "accountId": "1574325331781746688", "authorizedAt": "2026-11-23T07:26:48.647Z"}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (6, 'account-1574325331781746688', 2, '01a2074c-e147-7a41-811c-49b26d8749dd', 'SessionStarted', '{"ip": {"$sealed": "v1.SC6E6deGNlqR/ur0eYcycgoF3/vhqktftyAWZpbRDup6FRG/iJsQ"}, "accountId": "1574325331781746688", "startedAt": "2026-11-23T07:26:48.647Z", "tokenHash": "cKEztKn7jI0LCk5dmhLNIDRb4lwe8JVQHqbdS3zKDPk", "userAgent": {"$sealed": "v1.XEcRsaABOgWiY5eMqJmVlhHcpFV+vrU7rqpLSB/wZs2OsIoUZnM1oj8="}}', '{"at": "2026-11-23T07:26:48.647Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e147-76f6-8904-b689983eceac", "correlationId": "e6af5f02-984b-4b25-aa70-17a756b3bfcd", "schemaVersion": 1}'),
  (7, 'guild-1574325335200104448', 0, '01a2074c-e476-7cbc-8a6f-b2e7c5d2067b', 'GuildCreated', '{"name": "Fixture", "guildId": "1574325335200104448", "ownerId": "1574325331781746688", "features": ["ANIMATED_ICON", "ANIMATED_BANNER", "BANNER", "INVITE_SPLASH"], "createdAt": "2026-11-23T07:26:49.462Z"}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 1}'),
  (8, 'guild-1574325335200104448', 1, '01a2074c-e476-7c29-aedd-81931d9d9aa0', 'RoleCreated', '{"role": {"id": "1574325335200104448", "name": "@everyone", "color": 0, "hoist": false, "position": 0, "mentionable": false, "permissions": "18023710102769217", "unicodeEmoji": null, "hoistPosition": null}, "guildId": "1574325335200104448", "founding": true}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 2}'),
  (9, 'guild-1574325335200104448', 2, '01a2074c-e476-7a20-a4e8-dcdc03372cd4', 'ChannelCreated', '{"channel": {"id": "1574325335200104449", "url": null, "name": "Text Channels", "nsfw": false, "type": 4, "forum": null, "topic": null, "voice": null, "threads": null, "parentId": null, "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325335200104448", "founding": true}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 2}'),
  (10, 'guild-1574325335200104448', 3, '01a2074c-e476-7d9f-b553-7145446796e0', 'ChannelCreated', '{"channel": {"id": "1574325335200104450", "url": null, "name": "Voice Channels", "nsfw": false, "type": 4, "forum": null, "topic": null, "voice": null, "threads": null, "parentId": null, "position": 1, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325335200104448", "founding": true}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 2}'),
  (11, 'guild-1574325335200104448', 4, '01a2074c-e476-7174-8e85-c84f102f41ee', 'ChannelCreated', '{"channel": {"id": "1574325335200104451", "url": null, "name": "general", "nsfw": false, "type": 0, "forum": null, "topic": null, "voice": null, "threads": {"rateLimitPerUser": 0, "autoArchiveDuration": 4320}, "parentId": "1574325335200104449", "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325335200104448", "founding": true}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 2}'),
  (12, 'guild-1574325335200104448', 5, '01a2074c-e476-7d6d-98cb-10615ac9efbd', 'ChannelCreated', '{"channel": {"id": "1574325335200104452", "url": null, "name": "General", "nsfw": false, "type": 2, "forum": null, "topic": null, "voice": {"bitrate": 64000, "rtcRegion": null, "userLimit": 0, "connectionLimit": 5}, "threads": null, "parentId": "1574325335200104450", "position": 0, "overwrites": [], "nsfwOverride": null, "rateLimitPerUser": 0, "contentWarningText": null, "contentWarningLevel": 0}, "guildId": "1574325335200104448", "founding": true}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 2}'),
  (13, 'guild-1574325335200104448', 6, '01a2074c-e476-7e90-9484-87573781d7cb', 'GuildSettingsChanged', '{"guildId": "1574325335200104448", "settings": {"systemChannelId": "1574325335200104451"}}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7530-a2df-9a11637d677d", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 1}'),
  (14, 'membership-1574325335200104448-1574325331781746688', 0, '01a2074c-e476-7358-be8a-3208edb98bcc', 'MemberJoined', '{"guildId": "1574325335200104448", "joinedAt": "2026-11-23T07:26:49.462Z", "accountId": "1574325331781746688", "admission": {"by": "founding"}, "temporary": false}', '{"at": "2026-11-23T07:26:49.462Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e476-7cbc-8a6f-b2e7c5d2067b", "correlationId": "b68c9255-6f2c-46c3-9bf8-fb6da9e58b7b", "schemaVersion": 1}'),
  (15, 'guild-1574325335200104448', 7, '01a2074c-e81c-75fd-80e4-f2f7a8764c85', 'ChannelChanged', '{"after": {"rateLimitPerUser": 5}, "before": {"rateLimitPerUser": 0}, "guildId": "1574325335200104448", "channelId": "1574325335200104451", "channelType": 0}', '{"at": "2026-11-23T07:26:50.396Z", "actor": {"id": "1574325331781746688", "kind": "account"}, "causationId": "01a2074c-e81c-70fa-959e-c8f0726fc230", "correlationId": "b9968845-6128-4639-90b7-ca6dda4d9c86", "schemaVersion": 1}');
insert into followers.checkpoints (name, position) overriding system value values
  ('threads', '-1'),
  ('ban_messages', '-1'),
  ('joins', 14),
  ('system_messages', 14);
insert into http.idempotency_keys (id, fingerprint, command_id, started_at, sealed_recipe, sealed_answer) overriding system value values
  (E'\\xad230a43f3f46bb96d38146fe822336ba6d86126e5efb3010210df5ad95f6ecd', E'\\xcada198597223aff9e748611ffba4ac8bd041352f33e2cd1a8d4dc2067b7d221', '01a2074c-e147-76f6-8904-b689983eceac', '2026-11-23 07:26:48.647+00', E'\\x2c12b7703c03e4929277d03a210d1ed4d24bfffb4d3c9486ba4f0ff36a0181326a2edf09eb413d7f197c1d6319205fa56e22fcbd0c2e68d19809ae786b8f2890761a5a4c850b079aaf0fdc05f52d1d805f7326f6813501bb6ce3dcb49fe92d5da2fff296bf338453e2acc05f0c51eb15c8763ce006f343442991ea5182a1bd18e49d8fac1664a64aecdc0e8fc5a55fd876ed0a6c4cd5784a59f5036344433ae538f0321ba37d39cae43329ae99185c5002ba17ea7b6a169beb98c23a7f91d5b34d97934e1b46abfd4ba42d8c68c647e5e3b3b81be828909232b6226e7f', E'\\x11592f5a934fc91f0015e8d8216f67d3613004f9956488a26555308f106d567abd726f0cad4f9b4731c39381e25e65b4b3fdf58db8a695bab602ec969507860a9a2c0c9c74068adf420e0c74a230d064e4508332e554ee621a5003d7d251cf495b029baa0dcf9481befac0cb59411120a5c50da3239bc90f8e70aee5fcef87e3c58acef9067dae4b1265de11f51d72bd055a4cc1609d88987dac003ee139bcc412e8eac57697fefa335fbfa331667e89e7527948174b12d5bca71d89ed298ed6a0a0b05b40bbc6b1e2496d74f1e2746a646ebe799df6b63c49b998e341c8c4b169bb99958e97537339aad6208d11fd7649c8ff35f9739f70c5f832179ab65cfe869b2c61e6bcad90bf31e1b68803dfe5c5d3f49e6b99ec83477c93519c8ad10f43385614a0d78ee6e7bceb9fc1306affb1ac2fda54999d0071607eea2de17dd37f5bf393dc928896e5061d3d6b90fe9cb7e68e6c1f9db82251010692d78369'),
  (E'\\xa8b644b2b0ab3c287a95ab799742ecfbb6d4012d2d72e45a76fae0c008cbec31', E'\\x3733886d8d16bb447d8a433e61300a4ffc0c99a2e15299580e1ebc26b219d137', '01a2074c-e476-7530-a2df-9a11637d677d', '2026-11-23 07:26:49.462+00', E'\\x9596d507d6852d4902e4b93d59c314e27fcc4c5a083cd3560c4235a6e19b4713760cba5b6a4a8e84518295471fa0ad66418ba86096aeed5571628f0b40d4f6c4498c458ba7d7a68574fff5ac5410050e08d90723aaa06e10b240d1d51921f183a288dbe347b070f9b9e45ba1bbd6e91e31b9cba42631df009210497bcbe00ade66d5c578f1bf46bfc2af52dd80764361c7ea65ab36ab57563b5bc32a877781475ae62468ff8f8450f3ac759bd4deebf0eb2caafb9db8f7e042477fa8f900fffc9bf4f9c983ccbe6ecf8532f34d182b77034aa7b53f4aca7f7464cb9b80', E'\\xd7abf7e0b724c220cca0060a399a4527e8d7a980ad2109c03cfba67feac64dc81177553b247efd837d3d7b34640f67072081d4519d1de0cf083880848c914b29076a62113a13523c3e2591514ecff2e53264e3696cef94c26774e73f5ae39ce5961f24936c0c8fe1b1e76eb549768ffdcdb3cca028a98b7313a21a6ca22abe5e91b8d142cb4c8836e66e1f8de2ba8b0d4e0b31e62161a5e2600ee3345f2ea54027a9baea0eef8c566c6a6c468833bc90e0421768dec0cec8ca42c0c5872ae3074f451bfbbe942b47ecaebf4f655b8cbf66fe6b5bf594b3d4385b8b8c7e7409466ad809fbe5d36ba0490340edb25f85dd3026f9da16eb435b0d83aeec90e33d88b2393fc6f634d2b0a1881851058c715d6fddae8ad5076148ca5c45b9b3d609582421c1b8ac13dbd7dabf15c4aa76768fb767054529e4abe24ba13831b69caebe5a9b5613b4b413baed6ef9213c6509ec99a4b6875ef16050e690b354001773448ba2e9289a6727269b974212def71810e7b1d6a09c141c395a19446b17bc07642e8495fc193bd367bf22709df9811c2a49ad751f301ff879eaa5b67086fbebba2998319bebe6e2486df02eb84fe94362605c293e391e70e29ff3988e4e53c543aeb68913121830ca339a7c09fa349c38c5d690661e939520d3e3e912b82bbdfcfd647007df6997e90e824327e99770c35c2ddc96cfef61e5931deef3892f88f4f220ef924ba171be3ef742a1e1b5df5a7f917c41ecd5f6f0c87c63c6537935fa3253ae976e511a4d78844019b758e8bed48cc04e511fb44f750d0cc34f8444c64fa3b57dafb657a7b5d47513c64f4fa1b58a410c26e939f82d65f7545302f92dc8acea206a841be7fdb0ca61935983556fbc01235afbb3e181075414ff9571926aaa3128a975ac3fcc08b43fe46e89cc32a3bc5a9dbfd3d9739d4dab5e83cab4da216b4ffb816673c56da56c78fc42a6c3d1c1b3b17224593a4c9e575bda560fc19810b0bc41c1818b8739cac5a1a098b4ae82fc0fc9cf5935cd60d1c4509d367354d8e6b8c079c077db21604ecda1409484ff3166ba5aea6bbe8e8bc38c8b9d2fcdaf03e186f0842e722f0a87b59570420b40368a74855154a19b3c19826b4f70115f9c01449ff52ee409c98df0decd2577cf5f58dc490d3a8c08a21d9388c110f197575d0188d0b103da9944f26b2e06dd1a83537808f04eab755efc79ed65c4a6abe48da5fc6ae9f848a2e99fe243252b93535fbf086313a0eeb843dabb0e8f4048f502208608607137e5d605252e32588f0bf2e49c02a34986a80e555af0863395eb8764b2a8');
insert into job_workers.turns (name, taken_at) overriding system value values
  ('sweep_background_jobs', '2026-11-23 07:26:47.099159+00'),
  ('queue_due_erasures', '2026-11-23 07:26:47.101402+00'),
  ('count_overdue_owners', '2026-11-23 07:26:47.102416+00'),
  ('remove_leftover_images', '2026-11-23 07:26:47.102463+00'),
  ('record_left_deletions', '2026-11-23 07:26:52.191523+00'),
  ('queue_unfinished_steps', '2026-11-23 07:26:52.192226+00'),
  ('give_back_jobs', '2026-11-23 07:26:52.205929+00'),
  ('queue_background_jobs', '2026-11-23 07:26:52.280141+00');
insert into job_workers.workers (name, seen_at) overriding system value values
  ('pool-df0f6a229e46bfc567', '2026-11-23 07:26:52.16557+00');
insert into mail.outbox (id, key, state, sealed, created_at, tries, due_at, failure, account_id) overriding system value values
  (1, E'\\xd3242a1a4615d1f238aea53feb323c498978e62f1987374feb15615b6ac8738c', 'kept', E'\\x014bc5d3c7053d3c3d9b578285a11550546217b0b2f0d0cc089dced99bb2041ca04f22b76d6fcad9b54350e94a0a2f7cc039e3807da533f27cbe0e437b771d04dc9c680ec597fe1cf9797ffd10ccfec35493304487ccb90f11818dbdb92348dae5ecb29fff6b4586225fca6c6b2e8d41a45b7ca8b43cf96fd4d63747d8bdbd70bd73f68e3732af1fee0d2fa7e87248b49a53dd392ecbb63b3c6924421e11c505ae8d78a1bb2c2dff0f45a33e9c786b621c642987a0d62ea51512407a62be5ff448b659bd3b4234afa11fe4f0fad788fcfbba024f5841ab7db2d7d09a1251617394285fb6c3287098bfa51485ecf819d4ced43e4ec4b19bdd67d73506d61e170c2204a64755e1f0d8e6f5c660309b6c8d7fcf3d789d722ff31fb1d14e5edec4abb959ae37f4614fec4df129156012ca28649ab6b8d6c244e45cee0a2ec2ec53026218cb4191e43e71b634e412c500503077b152dc01edf59b8059adb0eec136ee6332807562d4bbe114f2cdc913c26c43c00165298a153d525db45c8236c70c4950635eb8d2d7720a6124d3c78c120b3725e56ac9c0731ec1d50e', '2026-11-23 07:26:49.75798+00', 0, '2026-11-23 07:26:49.75798+00', NULL, 1574325331781746688);
insert into personal_data.keys (account_id, wrapped_key, destroyed_at) overriding system value values
  (1574325331781746688, E'\\x0174e3a00030b8dbd5a4e8a5cafab4ac9f99772841397cab167e399d64a5574c9f8496538f0b57987f625b0af81bf8dbffc537782140eb9f660b3d942a', NULL);
insert into tickets.tickets (id, kind, subject, payload, revision, expires_at) overriding system value values
  (E'\\xa35aaa40ed3204d5e22bddccc3f8c6e93886315e0c8a938671a4430add1aae2f', 'reset_password', 1574325331781746688, E'\\x019ef8f26b4928d02294335ff0f4d6b65547a931ec16740549d3b4286343ed66868ec73d3daed6a2e468309ec027ed9c0b7aae0de09b41b898d8638b5f59da0f2eb83c4e4505a72134ae1bf20d46bf84b6f57e67c8b09aa54967d4756cc9ba5d944369a3ce02e1b404531056bfa74b0a36896fb291a37aee82bf878f038b487a7f1dd8f84877f3892906d52a3e0f651832', 0, '2026-11-23 08:26:49.674302+00');

-- Made up.
select messages.lay_month('m_2026_11', 1566240355123200000, 1577111991091200000);
insert into messages.messages (id, channel_id, guild_id, author_id, type, flags, content, tts, mentions_everyone, mentions_here, mentions, mention_roles)
values (1574325339394408451, 1574325335200104451, 1574325335200104448, 1574325331781746688, 0, 0, 'Hello from an earlier version', false, false, false, '{}', '{}');
insert into messages.paces (channel_id, author_id, last_id) values (1574325335200104451, 1574325331781746688, 1574325339394408451);
insert into messages.thread_paces (channel_id, author_id, last_id) values (1574325335200104451, 1574325331781746688, 1574325339394408451);
insert into messages.posted_once (id, channel_id) values (1574325339394408451, 1574325335200104451);
insert into messages.unrecorded_deletions (entry_id, guild_id, channel_id, message_id, count, deleted_by, at, command_id, correlation_id, causation_id, reason)
values (1574325339394408452, 1574325335200104448, 1574325335200104451, 1574325339394408453, 1, 1574325331781746688, now(), '01a2074c-e147-7396-beae-882fa0333aee', '01a2074c-e147-7396-beae-882fa0333aee', '01a2074c-e147-7396-beae-882fa0333aee', null);
insert into messages.removed_channels (channel_id) values (1574325339394408454);
insert into messages.tallies (channel_id, message_count, sent_count) values (1574325339394408455, 2, 3);
insert into messages.notices (kind, channel_id, channel_type, guild_id, after, message_ids, author_id)
values ('created', 1574325335200104451, 0, 1574325335200104448, 15, '{1574325339394408451}', 1574325331781746688);
insert into background_jobs.jobs (job_id, task, status, payload, done, total, requested_by, command_id, attempts, created_at, started_at, completed_at)
values (1574325339394408456, 'ban_file_sha', 'completed', '{"category": "manual"}', 3, 3, 1574325331781746688, '01a2074c-e147-7396-beae-882fa0333aee', 1, now(), now(), now());
insert into event_store.snapshots (stream, state_version, revision, state) values ('guild-1574325335200104448', 0, 2, '{}');
insert into session_activity.sessions (token_hash, last_used_at) values ('a hash of a token', now());
insert into started_sessions.accounts (account_id) values (1574325331781746688);
insert into network_failures.scores (key, score, at_ms) values ('\x00112233445566778899aabbccddeeff', 3, 1795000000000);
insert into rate_limits.buckets (key, requests, seconds, at_ms, owed_ms, asked, admitted)
values ('\x00112233445566778899aabbccddeeff', 5, 10, 1795000000000, 2000, 1, 1);
insert into admission.reservations (id, key, expires_at) values ('01a2074c-e147-7396-beae-882fa0333aee', 'guilds of 1574325331781746688', now() + interval '1 hour');
insert into bus.publisher_checkpoints (carrier, position) values ('nats', 7);
insert into read_models.checkpoints (schema, name, version, position) values ('retired', 'retired', 1, -1);
insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
values ('retired', 'guild-1574325335200104448', 8, '01a2074c-e147-7396-beae-882fa0333aee', 'GuildCreated', 'unreadable', 'a member is missing');
select setval(pg_get_serial_sequence('event_store.events', 'position'), (select max(position) from event_store.events));
select setval(pg_get_serial_sequence('mail.outbox', 'id'), (select max(id) from mail.outbox));

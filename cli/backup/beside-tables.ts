/** A table beside history that a backup holds. */
export interface KeptTable {
  readonly name: string
  /** Orders its rows, so that the same rows give the same digest. */
  readonly order: string
  /** Columns about running processes, and those that are computed anew: they are left out, and begin with their defaults. */
  readonly without?: readonly string[]
  readonly why: string
}

/** A table that a backup does not hold as rows. */
export interface LeftTable {
  readonly name: string
  readonly why: string
}

/**
 * The tables whose rows a backup holds. They are restored in this order. Every table of `adapters/postgres/migrations` is here or
 * in `leftTables`; a test compares them with a database.
 */
export const keptTables: readonly KeptTable[] = [
  {
    name: 'messages.messages',
    order: 'channel_id, id',
    // A worker computes it anew.
    without: ['words'],
    why: 'what people wrote',
  },
  { name: 'messages.attachments', order: 'id', why: 'which files messages have, and which are still to be removed' },
  { name: 'messages.reactions', order: 'channel_id, message_id, emoji, account_id', why: 'who reacted to messages' },
  { name: 'messages.mentions', order: 'channel_id, message_id, target_id', why: 'whom messages mention' },
  { name: 'messages.read_states', order: 'account_id, channel_id', why: 'what accounts have read' },
  { name: 'messages.account_notes', order: 'account_id, about_id', why: 'what accounts note about accounts' },
  {
    name: 'messages.dismissed_mentions',
    order: 'account_id, message_id',
    why: 'which mentions accounts have put aside',
  },
  { name: 'messages.saved_messages', order: 'account_id, message_id', why: 'what accounts have saved' },
  { name: 'messages.copies', order: 'source_id, channel_id, message_id', why: 'which copies published messages have' },
  { name: 'messages.publications', order: 'message_id', why: 'published messages whose copies are still to be made' },
  { name: 'messages.changed_sources', order: 'message_id', why: 'published messages whose copies are still to follow' },
  { name: 'messages.paces', order: 'channel_id, author_id', why: 'slow mode' },
  { name: 'messages.thread_paces', order: 'channel_id, author_id', why: 'slow mode' },
  { name: 'messages.posted_once', order: 'id, channel_id', why: 'no system message is posted twice' },
  {
    name: 'messages.unrecorded_deletions',
    order: 'entry_id',
    why: 'deletions and pins whose audit log entries are still to come',
  },
  { name: 'messages.shreds', order: 'job_id', why: 'how far jobs that delete the messages of an account have come' },
  {
    name: 'messages.anonymous_authors',
    order: 'account_id',
    why: 'who becomes the author of the messages of an erased account',
  },
  {
    name: 'messages.erased_without_messages',
    order: 'account_id',
    why: 'erased accounts that messages of others may still name',
  },
  { name: 'messages.spare_authors', order: 'account_id', why: 'anonymous accounts that are nobody’s author yet' },
  { name: 'messages.last_pins', order: 'channel_id', why: 'when a message of a channel was last pinned' },
  { name: 'messages.removed_channels', order: 'channel_id', why: 'channels whose messages are still to be deleted' },
  { name: 'messages.tallies', order: 'channel_id', why: 'how many messages a thread has, and had' },
  {
    name: 'http.idempotency_keys',
    order: 'id',
    without: ['holder', 'held_until'],
    why: 'answers to repeat: a request that a client repeats is not carried out twice',
  },
  { name: 'tickets.tickets', order: 'id', why: 'mailed tokens and codes stay usable' },
  { name: 'session_activity.sessions', order: 'token_hash collate "C"', why: 'when sessions were last used' },
  { name: 'started_sessions.accounts', order: 'account_id', why: 'who ever began a Gateway session' },
  { name: 'mail.outbox', order: 'id', why: 'mails that wait or are kept, and which were sent already' },
  { name: 'background_jobs.jobs', order: 'job_id', why: 'jobs that administrators requested, and their progress' },
  {
    name: 'background_jobs.outcomes',
    order: 'job_id, "position"',
    why: 'what became of each account or guild of a bulk job',
  },
  {
    name: 'erasure_notes.notes',
    order: 'account_id',
    why: 'hashes by which the erasure of an account can be proved afterwards',
  },
  { name: 'ids.highest', order: 'only_row', why: 'new ids stay above all earlier ones' },
]

/** The tables that are restored in another form. */
export const otherwiseKept: readonly LeftTable[] = [
  { name: 'event_store.events', why: 'the events, in `history.jsonl`' },
  { name: 'personal_data.instance_key', why: 'the manifest names the key, and the next server notes it again' },
  { name: 'personal_data.keys', why: 'the keys, still wrapped, in `history.jsonl`' },
  {
    name: 'followers.checkpoints',
    why: 'as events and not as positions, because a store may give the events other positions',
  },
]

/** The tables that a backup leaves out. */
export const leftTables: readonly LeftTable[] = [
  { name: 'ledger.migrations', why: 'the manifest lists the migrations; a restore runs them itself' },
  { name: 'served.settings', why: 'what the running server is set up with' },
  { name: 'event_store.snapshots', why: 'computed from events' },
  {
    name: 'messages.notices',
    why: 'tell the sessions of a Gateway what changed, for five minutes; no session outlives a restore',
  },
  { name: 'messages.uploads', why: 'wait for their messages for half an hour; a client uploads again' },
  { name: 'messages.trimmed', why: 'goes with the notices' },
  { name: 'rate_limits.buckets', why: 'full again, as after a crash of Postgres' },
  { name: 'network_failures.scores', why: 'forgiven, as after a crash of Postgres' },
  { name: 'admission.reservations', why: 'reservations of running acts' },
  { name: 'discovery_claims.claims', why: 'last for 15 minutes' },
  { name: 'archives.archives', why: 'their parts are not in a backup: whoever wants one asks for it again' },
  { name: 'job_workers.workers', why: 'running processes' },
  { name: 'job_workers.turns', why: 'running processes' },
  { name: 'ids.worker_leases', why: 'running processes' },
  { name: 'processes.register', why: 'which processes serve: those of the restored instance enter it anew' },
  { name: 'bus.publisher_checkpoints', why: 'restored events are not news: nothing is published again' },
  { name: 'read_models.joint_checkpoint', why: 'read models are computed from events' },
  { name: 'read_models.origin', why: 'read models are computed from events' },
  { name: 'read_models.own_checkpoints', why: 'read models are computed from events' },
  { name: 'read_models.parked', why: 'read models are computed from events' },
  { name: 'read_models.whole', why: 'read models are computed from events' },
]

/** Schemas that the numbered migrations do not make, and that a backup leaves out. */
export const leftSchemas: readonly LeftTable[] = [
  {
    name: 'job_queue',
    why: 'every job is queued again from what it is for: a waiting mail, a row of `background_jobs.jobs`, an unfinished step, a due erasure',
  },
  { name: 'the schemas of read models', why: 'computed from events' },
]

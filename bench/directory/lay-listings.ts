import type pg from 'pg'

const tables = [
  'bench.listings',
  'guilds.guilds',
  'members.member_counts',
  'discovery.applications',
  'discovery.searched',
  'discovery.search_changes',
] as const

/** Words that half of all listings have, and words that one in 5,000 has, at least one. */
export const common = ['common', 'шахматы', '将棋'] as const
export const rare = ['rare', 'редкое', '囲碁'] as const

const laid = `select n::int8 << 22 as id, n, case when n % 2 = 0 then array['${common.join("','")}'] else '{}' end
    || case when n % 5000 = 1 then array['${rare.join("','")}'] else '{}' end as words
  from generate_series(1, $1::int8) n`

/** As the projector writes them (projections/discovery/word-hashes.ts). */
function hashesOf(words: string): string {
  return `(select coalesce(string_agg(substring(sha256(w::bytea) for 6), ''), '') from unnest(${words}) w)`
}

const inserts = [
  `insert into guilds.guilds (id, name, owner_id, features, created_at, system_channel_flags, afk_timeout, verification_level,
      mfa_level, nsfw, content_warning_level, explicit_content_filter, default_message_notifications, disabled_operations,
      splash_card_alignment)
    select id, 'Guild ' || n, 1, '{DISCOVERABLE}', now(), 0, 60, 0, 0, false, 0, 0, 0, 0, 0 from (${laid}) laid`,
  `insert into members.member_counts (guild_id, member_count) select id, n % 997 + 1 from (${laid}) laid`,
  `insert into discovery.applications
      (guild_id, status, description, category_type, primary_language, custom_tags, applied_at, reviewed_at)
    select id, 'approved', repeat('A place for everybody. ', 8), n % 9, 'en-US', '{}', now(), now() from (${laid}) laid`,
  `insert into discovery.searched
      (guild_id, is_listed, category_type, primary_language, name_words, description_words)
    select id, true, n % 9, 'en-US', ${hashesOf("array['guild', n::text]")},
      ${hashesOf('words || array(select md5(n::text || w) from generate_series(1, 20) w)')} from (${laid}) laid`,
  `insert into discovery.search_changes (guild_id, position) select id, n from (${laid}) laid`,
  `insert into bench.listings select id, n % 9,
      array['guild', n::text] || words || array(select md5(n::text || w) from generate_series(1, 20) w) from (${laid}) laid`,
]

/** What the bare statement searches: the same words as texts, under an index. */
const bareTable = `create schema bench;
  create table bench.listings (guild_id int8 primary key, category_type int4 not null, words text[] not null);
  create index on bench.listings using gin (words)`

/**
 * Lays the rows of this many listings directly into the tables of the read models, and beside them for the bare statement: history
 * knows nothing of them.
 */
export async function layListings(pool: pg.Pool, listings_count: number): Promise<void> {
  await pool.query(bareTable)
  for (const insert of inserts) await pool.query(insert, [listings_count])
  for (const table of tables) await pool.query(`vacuum analyze ${table}`)
}

/** The bytes of the read model for each listing, indexes included. */
export async function bytesOfListing(pool: pg.Pool, listings_count: number): Promise<number> {
  const { rows } = await pool.query<{ readonly bytes: string }>(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
     where c.relnamespace = 'discovery'::regnamespace and c.relkind = 'r'`,
  )
  return Number(rows[0]?.bytes ?? 0) / listings_count
}

import type pg from 'pg'

const tables = ['guilds.guilds', 'members.member_counts', 'discovery.applications', 'discovery.searched'] as const

/** Words that half of all listings have, and words that one in 5,000 has, at least one. */
export const common = ['common', 'шахматы', '将棋'] as const
export const rare = ['rare', 'редкое', '囲碁'] as const

const laid = `select n::int8 << 22 as id, n, case when n % 2 = 0 then array['${common.join("','")}'] else '{}' end
    || case when n % 5000 = 1 then array['${rare.join("','")}'] else '{}' end as words
  from generate_series(1, $1::int8) n`

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
      (guild_id, is_listed, category_type, primary_language, custom_tags, name_words, tag_words, description_words)
    select id, true, n % 9, 'en-US', '{}', array['guild', n::text], '{}',
      words || array(select md5(n::text || w) from generate_series(1, 20) w) from (${laid}) laid`,
]

/** Lays the rows of this many listings directly into the tables of the read models: history knows nothing of them. */
export async function layListings(pool: pg.Pool, listings_count: number): Promise<void> {
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

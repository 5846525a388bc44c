import type pg from 'pg'

const tables = [
  'bench.listings',
  'guilds.guilds',
  'members.member_counts',
  'discovery.applications',
  'discovery.search_changes',
] as const

/** Words that half of all listings have, and words that one in 5,000 has, at least one. */
export const common = ['common', 'шахматы', '将棋'] as const
export const rare = ['rare', 'редкое', '囲碁'] as const

const syllables =
  '{ka,to,ri,mon,sel,ver,ing,ter,schi,ban,lo,dra,gon,pho,gra,pla,ner,bu,sti,cra,ven,tur,ma,ga,zin,spo,rt,clu,ber,mi,ne,ko,ra,li,stu,den,fre,un,da,wel,com,pu,tor,no,vel,his,ge,sch,ach,tra,vo,pe,qui,jas,xe,wo,hel,fa,ly,od}'
const syllables_count = 60
/** So many words listings have beside those that are looked for, the first ones more often than the last. */
const vocabulary_count = 200_000
/** So many each has of them. */
const words_count = 20

/** Three syllables for each number below `vocabulary_count`. */
const wordOf = (number: string): string =>
  [syllables_count ** 2, syllables_count, 1]
    .map((value) => `('${syllables}'::text[])[${number} / ${value} % ${syllables_count} + 1]`)
    .join(' || ')

const laid = `select n::int8 << 22 as id, n, (case when n % 2 = 0 then array['${common.join("','")}'] else '{}' end)
    || (case when n % 5000 = 1 then array['${rare.join("','")}'] else '{}' end)
    || array(select ${wordOf('k')} from (
      select floor(${vocabulary_count} * (('x' || substr(md5(n::text || ' ' || w), 1, 7))::bit(28)::int / 268435456.0) ^ 3)::int as k
      from generate_series(1, ${words_count}) w) drawn) as words
  from generate_series(1, $1::int8) n`

const inserts = [
  `insert into guilds.guilds (id, name, owner_id, features, created_at, system_channel_flags, afk_timeout, verification_level,
      mfa_level, nsfw, content_warning_level, explicit_content_filter, default_message_notifications, disabled_operations,
      splash_card_alignment)
    select id, 'Guild ' || n, 1, '{DISCOVERABLE}', now(), 0, 60, 0, 0, false, 0, 0, 0, 0, 0 from (${laid}) laid`,
  `insert into members.member_counts (guild_id, member_count) select id, n % 997 + 1 from (${laid}) laid`,
  `insert into discovery.applications
      (guild_id, status, description, category_type, primary_language, custom_tags, applied_at, reviewed_at)
    select id, 'approved', array_to_string(words, ' '), n % 9, 'en-US', '{}', now(), now() from (${laid}) laid`,
  `insert into discovery.search_changes (guild_id, position) select id, n from (${laid}) laid`,
  `insert into bench.listings select id, n % 9, array['guild', n::text] || words from (${laid}) laid`,
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

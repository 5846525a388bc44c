import { createHash } from 'node:crypto'
import type pg from 'pg'

export interface LaidPeople {
  /** One of each account. */
  readonly tokens: readonly string[]
}

const rowsAtOnce_max = 10_000

/**
 * Lays accounts, each with a session of its own, and each a member of these guilds, directly into the tables of the read models:
 * history knows nothing of them. The first guild gets as many further members as given, who have no account.
 */
export async function layPeople(pool: pg.Pool, laid: LaidCrowd): Promise<LaidPeople> {
  const { people_count, guilds, guildsOfEach_count, others_count } = laid
  const tokens = Array.from({ length: people_count }, (_, index) => `gld_${String(index).padStart(36, 'x')}`)
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('base64url'))
  for (let from = 0; from < people_count; from += rowsAtOnce_max) {
    const some = hashes.slice(from, from + rowsAtOnce_max)
    await pool.query(accounts, [from + 1, from + some.length])
    await pool.query(settings, [from + 1, from + some.length])
    await pool.query(sessions, [from + 1, some])
    const last = from + some.length
    for (let person = from + 1; person <= last; person += 1000)
      await pool.query(memberships, [person, Math.min(last, person + 999), guilds, guildsOfEach_count])
  }
  const [large] = guilds
  if (others_count > 0) await pool.query(others, [people_count + 1, people_count + others_count, large])
  await pool.query(
    `insert into members.member_counts (guild_id, member_count)
     select guild_id, count(*)::int4 from members.members where guild_id = any($1::int8[]) group by guild_id
     on conflict (guild_id) do update set member_count = excluded.member_count`,
    [guilds],
  )
  for (const table of ['accounts.accounts', 'accounts.sessions', 'members.members', 'user_settings.user_settings'])
    await pool.query(`vacuum analyze ${table}`)
  return { tokens }
}

export interface LaidCrowd {
  readonly people_count: number
  /** Everybody is in the first one, and in so many of all. */
  readonly guilds: readonly string[]
  readonly guildsOfEach_count: number
  readonly others_count: number
}

/** Ids are those of 2015, so that every account that registers is newer. */
const accounts = `
  insert into accounts.accounts (id, username, discriminator, email, email_verified, has_password, date_of_birth, locale,
    registered_at, has_session_started)
  select n << 22, 'person' || n, (n % 9999 + 1)::int4, 'person' || n || '@example.com', true, true, '1990-12-10', 'en-US', now(), true
  from generate_series($1::int8, $2::int8) n`
const settings = `insert into user_settings.user_settings (account_id) select n << 22 from generate_series($1::int8, $2::int8) n`
const sessions = `
  insert into accounts.sessions (token_hash, account_id, started_at)
  select hash, ($1::int8 + place - 1) << 22, now() from unnest($2::text[]) with ordinality as given (hash, place)`
const member = `guild_id, account_id, joined_at, temporary, roles, admission`
const memberships = `
  insert into members.members (${member})
  select ($3::int8[])[case k when 0 then 1 else 2 + (n * ($4::int8 - 1) + k) % (array_length($3::int8[], 1) - 1) end], n << 22, now(),
    false, '{}', '{"by":"custom_invite"}'
  from generate_series($1::int8, $2::int8) n, generate_series(0, $4::int8 - 1) k`
const others = `
  insert into members.members (${member})
  select $3::int8, n << 22, now(), false, '{}', '{"by":"custom_invite"}' from generate_series($1::int8, $2::int8) n`

import type pg from 'pg'

/** An account as a search may name it. */
export interface LaidAccount {
  readonly id: string
  readonly username: string
  readonly discriminator: number
  readonly email: string
  readonly ip: string
}

const tables = [
  'accounts.accounts',
  'accounts.session_log',
  'accounts.last_addresses',
  'account_search.accounts',
] as const
const rowsAtOnce_max = 100_000
/** As many as a list may be deep. */
const samples_count = 200

/** What the names of one account in ten begin with. */
export const commonBeginning = 'the_'

/**
 * Account number n: its id, its name of random letters, its address. Ids are those of 2015, so that every account that registers
 * is newer.
 */
const laid = `select n::int8 << 22 as id, (n % 9999 + 1)::int4 as discriminator, name, name || '@example.com' as email,
    concat_ws('.', 10, (n >> 16) & 255, (n >> 8) & 255, n & 255) as ip, md5(n::text) as hash
  from generate_series($1::int8, $2::int8) n, lateral (
    select case when n % 10 = 0 then '${commonBeginning}' else '' end
      || translate(left(md5('name' || n), 6 + (n % 7)::int4), '0123456789', 'ghijklmnop') || n % 1000 as name) names`

const inserts = [
  `with laid as (${laid}) insert into accounts.accounts
    (id, username, discriminator, email, email_verified, has_password, date_of_birth, locale, registered_at)
    select id, name, discriminator, email, true, true, '1990-12-10', 'en-US', now() from laid`,
  `with laid as (${laid}) insert into accounts.session_log (token_hash, account_id, started_at, ip)
    select hash, id, now(), ip from laid`,
  `with laid as (${laid}) insert into accounts.last_addresses (account_id, ip) select id, ip from laid`,
  `with laid as (${laid}) insert into account_search.accounts (id, username, email) select id, name, email from laid`,
]

/**
 * Lays the rows of this many accounts, each with a session that has no end, directly into the tables of the read models: history
 * knows nothing of them. Indexes are made afterwards, which takes less time. Gives some accounts of all ages.
 */
export async function layAccounts(pool: pg.Pool, accounts_count: number): Promise<readonly LaidAccount[]> {
  const { rows: indexes } = await pool.query<{ readonly name: string; readonly definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where not i.indisprimary and i.indrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { name } of indexes) await pool.query(`drop index ${name}`)
  for (let from = 1; from <= accounts_count; from += rowsAtOnce_max)
    for (const insert of inserts) await pool.query(insert, [from, Math.min(accounts_count, from + rowsAtOnce_max - 1)])
  for (const { definition } of indexes) await pool.query(definition)
  await pool.query('update account_search.totals set accounts = (select count(*) from account_search.accounts)')
  for (const table of tables) await pool.query(`vacuum analyze ${table}`)
  const step = Math.max(1, Math.floor(accounts_count / samples_count))
  const { rows } = await pool.query<LaidAccount>(
    `select a.id, a.username, a.discriminator, a.email, l.ip
     from accounts.accounts a join accounts.last_addresses l on l.account_id = a.id
     where a.id = any(array(select n::int8 << 22 from generate_series(1, $1::int8, $2::int8) n))`,
    [accounts_count, step],
  )
  return rows
}

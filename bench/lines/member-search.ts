import path from 'node:path'
import type pg from 'pg'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { call, createGuild, register } from '../../test/support/load-api.ts'
import { startProduct } from '../../test/support/product-process.ts'
import { commonBeginning, layAccounts, type LaidAccount } from '../administration/lay-accounts.ts'
import { headOf, identify, openReadySession } from '../gateway/ready-session.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { timed, timeOf } from '../support/timed.ts'
import { portOf } from './http-site.ts'

const members_count = 100_000
const limit = 25
const chunkMark = Buffer.from('"t":"GUILD_MEMBERS_CHUNK"')

/** What is searched for, by how many names begin with it. */
const searches: Readonly<Record<string, (account: LaidAccount) => string>> = {
  'a whole name': ({ username }) => username,
  'four letters': ({ username }) => username.replace(commonBeginning, '').slice(0, 4),
  'one name in ten': () => commonBeginning,
  'no name': () => 'zzzzzz',
}

/**
 * Request Guild Members with a query in a guild of 100,000 members, one at a time, each to its chunk, beside the statement alone
 * that compares the name of every member.
 */
export async function memberSearchLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const closing: (() => Promise<unknown>)[] = [async () => place.remove()]
  try {
    const product = await startProduct({ dataDir: place.folder })
    closing.push(() => product.stop())
    const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
    if (!connection) throw new Error('The Postgres of the product is not to be found')
    const pool = openPool(connection, 1)
    closing.push(() => pool.end())
    const owner = await call(product.url, register('owner'))
    const { id } = await call(product.url, createGuild(owner, 'Large'))
    const accounts = await layAccounts(pool, members_count)
    await layMembers(pool, id)
    const asker = await ask(portOf(product.url), owner.token, id)
    closing.push(async () => asker.close())
    const comparisons: Comparison[] = []
    for (const [name, textOf] of Object.entries(searches)) {
      const texts = accounts.map(textOf)
      const text = (turn: number): string => texts[turn % texts.length] ?? ''
      const product_ = () => timed(seconds, (turn) => asker.search(text(turn)))
      const baseline = () => timed(seconds, (turn) => compareAll(pool, id, text(turn)))
      const line = `member search: ${name}`
      comparisons.push(withTimes(await compare({ line, unit: '1/s (by p50)', rounds, baseline, product: product_ })))
    }
    return comparisons
  } finally {
    for (const step of closing.toReversed()) await step()
  }
}

/** Makes every laid account a member: the rows alone, history knows nothing of them. */
async function layMembers(pool: pg.Pool, guild: string): Promise<void> {
  await pool.query(
    `insert into members.members (guild_id, account_id, joined_at, temporary, roles, admission)
     select $1::int8, n << 22, now(), false, '{}', '{"by":"custom_invite"}' from generate_series(1, $2::int8) n`,
    [guild, members_count],
  )
  await pool.query('vacuum analyze members.members')
}

async function compareAll(pool: pg.Pool, guild: string, text: string): Promise<void> {
  await pool.query({
    name: 'compare-all',
    text: `select array(select m.account_id from members.members m join guilds.guilds g on g.id = m.guild_id
      left join members.member_texts t on t.guild_id = m.guild_id and t.account_id = m.account_id
      left join accounts.accounts a on a.id = m.account_id
      where m.guild_id = $1 and starts_with(lower(coalesce(t.nick, a.global_name, a.username)), lower($2))
      order by m.account_id limit ${limit})`,
    values: [guild, text],
  })
}

/** A session that searches the guild, one search at a time. */
async function ask(port: number, token: string, guild: string) {
  let isAnswered: () => void = () => undefined
  const answer = (): Promise<void> =>
    new Promise((resolve) => {
      isAnswered = resolve
    })
  const { session } = await openReadySession({ port }, identify(token), (payload) => {
    if (headOf(payload).includes(chunkMark)) isAnswered()
  })
  return {
    close: () => session.close(),
    search(query: string): Promise<void> {
      const answered = answer()
      session.send({ op: 8, d: { guild_id: guild, query, limit } })
      return answered
    },
  }
}

function withTimes(comparison: Comparison): Comparison {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(comparison, side, 'p50_ms').toFixed(1)} ms, p99 ${timeOf(comparison, side, 'p99_ms').toFixed(1)} ms`
  return { ...comparison, notes: [`${of('product')}; the statement ${of('baseline')}`] }
}

import type pg from 'pg'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register } from '../../test/support/load-api.ts'
import { counted } from '../communities/community-site.ts'
import { seedCrowd } from '../communities/seed-crowd.ts'
import { seedGuild } from '../gateway/seed-guild.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { timed, timeOf } from '../support/timed.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const size = { channels: 500, overwrites: 2, roles: 249 }
const members_count = 10_000
const took_ms_max = 2000
const warmUp_count = 3

/**
 * A guild of 500 channels, 250 roles and 10,000 members at a moment, and what changed in it, one request at a time, each beside the
 * bare reading of all its events.
 */
export function historyGuildLine({ rounds, seconds }: LineSettings): Promise<readonly Comparison[]> {
  return withProductAndStore(async ({ url }, { events, database: { pool } }) => {
    const reader = await call(url, register('reader'))
    await appendCommands(events, reader, [{ type: 'SetAcls', acls: ['admin:authenticate', 'audit_log:view'] }])
    const id = await seedGuild(events, reader.id, size)
    const half = members_count / 2
    await seedCrowd(events, id, half)
    const halfway = new Date().toISOString()
    await seedCrowd(events, id, members_count - half - 1)
    await counted(pool, id, members_count)
    const now = new Date().toISOString()
    const path = `/v1/admin/history/guilds/${id}`
    const questions = [
      ['a guild at a moment', `${path}?at=${halfway}`],
      ['a guild now', path],
      ['the 1,000 members after half of them', `${path}?members_after=${await middleMember(pool, id)}&limit=1000`],
      ['the first 1,000 changes from the founding on', `${path}/changes?limit=1000`],
      ['what changed since a moment', `${path}/changes?from=${now}`],
    ] as const
    const comparisons: Comparison[] = []
    for (const [name, question] of questions) {
      const compared = await compare({
        line: `history: ${name}`,
        unit: '1/min (by p50)',
        rounds,
        baseline: () => perMinute(seconds, () => bareReading(pool, id)),
        product: () => perMinute(seconds, () => answered(`${url}${question}`, reader.token)),
      })
      comparisons.push(withTimes(compared))
    }
    return comparisons
  })
}

async function perMinute(seconds: number, task: () => Promise<void>): Promise<Sample> {
  const sample = await timed(seconds, task, warmUp_count)
  return { ...sample, rate: sample.rate * 60 }
}

async function middleMember(pool: pg.Pool, guild: string): Promise<string> {
  const { rows } = await pool.query<{ readonly id: string }>(
    'select account_id::text as id from members.members where guild_id = $1 order by account_id offset $2 limit 1',
    [guild, members_count / 2],
  )
  return rows[0]?.id ?? ''
}

/** Reads the events of the guild and of its memberships as they are stored, in two statements. */
async function bareReading(pool: pg.Pool, guild: string): Promise<void> {
  const columns = 'stream, revision, position, event_id, type, data, metadata'
  const ofGuild = await pool.query(`select ${columns} from event_store.events where stream = $1 order by revision`, [
    `guild-${guild}`,
  ])
  const ofMembers = await pool.query(
    `select ${columns} from event_store.events where stream >= $1 and stream < $2 order by stream, revision`,
    [`membership-${guild}-`, `membership-${guild}.`],
  )
  const read = ofGuild.rows.length + ofMembers.rows.length
  if (read < size.channels + members_count) throw new Error(`Only ${read} events were read`)
}

async function answered(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: token } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status} ${body.slice(0, 200)}`)
}

function withTimes(comparison: Comparison): Comparison {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(comparison, side, 'p50_ms').toFixed(0)} ms, p99 ${timeOf(comparison, side, 'p99_ms').toFixed(0)} ms`
  const verdict = verdictOf(timeOf(comparison, 'product', 'p99_ms') <= took_ms_max)
  return {
    ...comparison,
    notes: [`${of('product')}; bare reading ${of('baseline')}; p99 of at most ${took_ms_max} ms: ${verdict}`],
  }
}

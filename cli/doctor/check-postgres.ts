import type { Pool } from 'pg'
import { z } from 'zod'
import { postgresMajor_min, supportedVersion } from '../../adapters/postgres/server-version.ts'
import { bad, checked, ok, warn, type Finding } from './finding.ts'

/** A process opens up to so many (docs/operating.md). */
const connectionsOfProcess = 24
/** Processes should agree within a second; a minute is past what ids put up with. */
const clock_ms = { warn: 1000, bad: 60_000 } as const

const settingsRow = z.object({ connections: z.coerce.number(), trigrams: z.boolean() })
const clockRow = z.object({ now_ms: z.coerce.number() })

/** The version, room for connections, and the extension for searching of a Postgres. `what` says which one it is. */
export async function checkPostgres(pool: Pool, what: string): Promise<readonly Finding[]> {
  const advice = `Postgres ${postgresMajor_min} or later is needed`
  return checked('postgres', advice, async () => [
    ok('postgres', `${what}version ${await supportedVersion(pool)}`),
    ...(await settingsOf(pool)),
  ])
}

async function settingsOf(pool: Pool): Promise<readonly Finding[]> {
  const { rows } = await pool.query(
    `select current_setting('max_connections') as connections,
       exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams`,
  )
  const { connections, trigrams } = settingsRow.parse(rows[0])
  return [
    ...(connections < connectionsOfProcess
      ? [
          warn(
            'postgres',
            `it takes ${connections} connections`,
            `Set max_connections to ${connectionsOfProcess} for each process, and some to spare`,
          ),
        ]
      : []),
    ...(trigrams
      ? []
      : [
          warn(
            'postgres',
            'it has no extension pg_trgm: administrators cannot search accounts and guilds',
            'Install it (postgresql-contrib), then run: guildhall replay account_search, and: guildhall replay guild_search',
          ),
        ]),
  ]
}

/** Whether this machine and Postgres agree about the time. */
export function checkClock(pool: Pool): Promise<readonly Finding[]> {
  return checked('clock', 'Check that Postgres answers', () => clockOf(pool))
}

async function clockOf(pool: Pool): Promise<Finding> {
  const before_ms = Date.now()
  const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as now_ms')
  const after_ms = Date.now()
  const { now_ms } = clockRow.parse(rows[0])
  // What the question itself took is no difference.
  const ahead_ms = Math.max(before_ms - now_ms, now_ms - after_ms, 0)
  const text = `this machine and Postgres differ by ${(ahead_ms / 1000).toFixed(1)} s`
  if (ahead_ms > clock_ms.bad) return bad('clock', text, 'Set both right, and run an NTP client on both')
  return ahead_ms > clock_ms.warn ? warn('clock', text, 'Run an NTP client on both') : ok('clock', text)
}

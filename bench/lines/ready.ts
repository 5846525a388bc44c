import { setTimeout as sleep } from 'node:timers/promises'
import { call, register } from '../../test/support/load-api.ts'
import { gatewayScript, listenBare } from '../gateway/children.ts'
import { layPeople } from '../gateway/lay-people.ts'
import { identify, openReadySession } from '../gateway/ready-session.ts'
import { seedGuild, type GuildSize } from '../gateway/seed-guild.ts'
import { counted } from '../communities/community-site.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { timed, timeOf } from '../support/timed.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'
import { portOf } from './http-site.ts'

const guilds_count = 100
const size: GuildSize = { channels: 20, overwrites: 3, roles: 10 }
/** In all the guilds: each may have 100 sessions, and one stays for a minute after its socket has closed. */
const people_count = 100
const settle_ms = 3000
const warmUp_count = 20
const inFlight_counts = [1, 8]
const p99_ms_max = 150
const unavailable = Buffer.from('"unavailable":true')

/**
 * READY of an account in 100 guilds, from the connection to its last byte, one after another and some in flight, beside a bare `ws`
 * server that sends the same bytes after Identify.
 */
export async function readyLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return withProductAndStore(async ({ url, pid }, { events, database: { pool } }) => {
    const bare = gatewayScript('bare-gateway')
    try {
      const owner = await call(url, register('owner'))
      const guilds: string[] = []
      for (let count = 0; count < guilds_count; count += 1) guilds.push(await seedGuild(events, owner.id, size))
      for (const guild of guilds) await counted(pool, guild, 1)
      const laid = { people_count, guilds, guildsOfEach_count: guilds_count, others_count: 0 }
      const { tokens } = await layPeople(pool, laid)
      await sleep(settle_ms)
      const port = portOf(url)
      const ready = await readyOf({ port }, tokens[0] ?? '')
      if (ready.includes(unavailable)) throw new Error('READY has no guilds')
      const barePort = await listenBare(bare, { onMessage: [ready] })
      const postgres = await postgresProcesses(pool)
      const comparisons: Comparison[] = []
      for (const inFlight of inFlight_counts) {
        const measure = async (place: { readonly port: number }, server: number): Promise<Sample> => {
          const task = async (turn: number): Promise<void> =>
            void (await readyOf(place, tokens[turn % tokens.length] ?? ''))
          for (let turn = 0; turn < warmUp_count; turn += 1) await task(turn)
          const cores = measureCores({ server: () => [server], postgres, sessions: () => [process.pid] })
          const began = performance.now()
          const sample = await timed(seconds, task, 0, inFlight)
          const took_s = (performance.now() - began) / 1000
          return { ...sample, rate: (sample.details['count'] ?? Number.NaN) / took_s, cores: cores() }
        }
        const compared = await compare({
          line: `ready, ${guilds_count} guilds, ${inFlight} in flight`,
          unit: 'READYs/s',
          rounds,
          baseline: () => measure({ port: barePort }, bare.pid),
          product: () => measure({ port }, pid),
        })
        comparisons.push({ ...compared, notes: [...timesIn(compared), `READY has ${ready.length} bytes`] })
      }
      return comparisons
    } finally {
      await bare.end()
    }
  })
}

async function readyOf(place: { readonly port: number }, token: string): Promise<Buffer> {
  const { session, ready } = await openReadySession(place, identify(token))
  session.close()
  return ready
}

function timesIn(compared: Comparison): readonly string[] {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(compared, side, 'p50_ms').toFixed(1)} ms, p99 ${timeOf(compared, side, 'p99_ms').toFixed(1)} ms`
  const isReached = timeOf(compared, 'product', 'p99_ms') <= p99_ms_max
  return [`${of('product')} (at most ${p99_ms_max}: ${verdictOf(isReached)}); the bare server ${of('baseline')}`]
}

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { sendMessage, startSession } from '../../test/faults/commands/message-stage.ts'
import { call, createGuild, getGuild, register } from '../../test/support/load-api.ts'
import { gatewayScript, listenBare, open_ms_max } from '../gateway/children.ts'
import { layPeople } from '../gateway/lay-people.ts'
import { withCpu } from '../support/by-cpu.ts'
import type { Child } from '../support/child.ts'
import { measureCores, pin } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'
import { portOf } from './http-site.ts'

const sessions_count = 5000
const guilds_count = 10
const missed_count = 100
const dispatch = 'MESSAGE_CREATE'
const settle_ms = 1000
const targets = { byClock: 0.8, byCpu: 0.8 }

const resumed = z.object({ first: z.array(z.instanceof(Uint8Array)) })

/**
 * 5000 sessions, each of an account of its own, whose sockets are cut, which miss 100 messages, and which all resume, beside as
 * many sockets of a bare `ws` server, which sends each the same bytes as soon as it is open. By the clock, and by the CPU time of
 * the server.
 */
export async function resumesLine({ rounds }: LineSettings): Promise<readonly Comparison[]> {
  return withProductAndStore(async ({ url, pid }, store) => {
    const children = {
      bare: gatewayScript('bare-gateway'),
      own: gatewayScript('resume-load'),
      other: gatewayScript('resume-load'),
    }
    try {
      const owner = await call(url, register('owner'))
      await startSession(url, owner)
      const guilds: string[] = []
      for (let count = 0; count < guilds_count; count += 1)
        guilds.push((await call(url, createGuild(owner, `Guild ${count}`))).id)
      const [home = ''] = guilds
      const { textChannel } = await call(url, getGuild(owner, home))
      const laid = { people_count: sessions_count, guilds, guildsOfEach_count: guilds_count, others_count: 0 }
      const { tokens } = await layPeople(store.database.pool, laid)
      for (const server of [pid, children.bare.pid]) pin(server, 0)
      for (const load of [children.own.pid, children.other.pid]) pin(load, 1)
      const port = portOf(url)
      await children.own.ask({ open: { port, tokens, initialGuild: home } }, open_ms_max)
      const miss = async (): Promise<void> => {
        await children.own.ask({ cut: true }, open_ms_max)
        await sleep(settle_ms)
        for (let count = 0; count < missed_count; count += 1)
          await call(url, sendMessage(owner, textChannel, `Message ${count}`))
        await sleep(settle_ms)
      }
      const own = { port, dispatch, missed_count }
      await miss()
      const { first } = resumed.parse(await children.own.ask({ resume: own }, open_ms_max))
      const bare = {
        ...own,
        port: await listenBare(children.bare, { onOpen: first }),
        path: '/',
        bare_count: sessions_count,
      }
      const byClock = await compare({
        line: `resumes, ${missed_count} missed dispatches each`,
        unit: 'resumes/s',
        target: targets.byClock,
        rounds,
        baseline: async () => {
          await children.other.ask({ cut: true }, open_ms_max)
          await sleep(settle_ms)
          return resume(children.other, children.bare.pid, bare)
        },
        product: async () => {
          await miss()
          return resume(children.own, pid, own)
        },
      })
      const bytes = first.reduce((sum, { length }) => sum + length, 0)
      const notes = [`${sessions_count} sessions, each of which is sent ${bytes} bytes in ${first.length} messages`]
      return withCpu(byClock, { unit: 'resumes/CPU s', target: targets.byCpu, count: sessions_count }, notes)
    } finally {
      for (const child of Object.values(children)) await child.end()
    }
  })
}

async function resume(load: Child, server: number, how: object): Promise<Sample> {
  const measured = measureCores({ server: () => [server], sessions: () => [load.pid] })
  const began = performance.now()
  await load.ask({ resume: how }, open_ms_max)
  const took_ms = performance.now() - began
  const cores = measured()
  const details = { took_ms, server_ms: (cores['server'] ?? Number.NaN) * took_ms }
  return { rate: (sessions_count * 1000) / took_ms, cores, details }
}

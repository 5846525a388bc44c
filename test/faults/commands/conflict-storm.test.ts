import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refused } from '../../../application/commands/refused.ts'
import { attempts_max } from '../../../application/aggregates/execute.ts'
import type { Aggregates } from '../../../application/ports.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { openAggregates } from '../../../process/aggregates.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { inviteCode } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { account, terms } from '../../projections/support/people.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { testContext } from '../../support/test-context.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { paced } from '../../support/pace.ts'

const code = inviteCode('storm123')
const redeemedEvent = z.object({ redemptionId: z.string() })

/** Writers of one process wait for each other; writers of several processes conflict at the store. */
const storms = [
  { row: 'F19a', processes: 4, writers: 16, title: '64 writers of one stream in 4 processes' },
  { row: 'F19b', processes: 16, writers: 4, title: '64 writers of one stream in 16 processes' },
] as const

const commandsOfWriter = isLong ? 40 : 4
const p99_ms_max = 10_000
const test_ms_max = isLong ? 1_200_000 : 600_000
/** Usually 0.07 to 0.1. Of the few commands of the short run, chance refuses some more. */
const refusedShare_max = isLong ? 0.1 : 0.2

describe('a storm of commands on one aggregate', () => {
  let test: TestDatabase
  let stores: readonly Store[] = []

  beforeEach(async () => {
    test = await laidDatabase()
  })

  afterEach(async () => {
    for (const store of stores) await store.close()
    await test.close()
  })

  for (const { row, processes, writers, title } of storms) {
    it(
      `ends for every one of ${title}: done once, or refused with CONFLICT and not done`,
      async () => {
        const personalDataKey = randomBytes(32)
        stores = await Promise.all(
          Array.from({ length: processes }, () =>
            openStore({ connection: test.connection, personalDataKey, onError: () => undefined }),
          ),
        )
        const processesAtWork = stores.map((store) => processOn(store))
        await processesAtWork[0]?.invites.execute(code, { type: 'CreateInvite', terms: terms(code) }, testContext())
        await Promise.all(
          processesAtWork.flatMap((one) => Array.from({ length: writers }, () => write(one, commandsOfWriter))),
        )
        const redeemed = await redemptionsIn(stores)
        const [done, refused, took_ms] = [
          processesAtWork.flatMap((one) => one.done),
          processesAtWork.flatMap((one) => one.refused),
          processesAtWork.flatMap((one) => one.took_ms),
        ]
        const total = processes * writers * commandsOfWriter
        const found = {
          lost: done.filter((id) => !redeemed.includes(id)).length,
          repeated: redeemed.length - new Set(redeemed).size,
          reordered: 0,
          divergent: refused.filter((id) => redeemed.includes(id)).length,
        }
        const p99_ms = took_ms.toSorted((a, b) => a - b)[Math.floor(took_ms.length * 0.99)] ?? 0
        const attempts = Math.max(...processesAtWork.map((one) => one.attempts_most))
        const note = `${refused.length} of ${total} refused with CONFLICT, at most ${attempts} attempts, p99 ${p99_ms.toFixed(0)} ms`
        noteFault(row, { title, runs: total, ...found, stuck_s: Math.max(...took_ms) / 1000, note })
        expect(found).toStrictEqual({ lost: 0, repeated: 0, reordered: 0, divergent: 0 })
        expect(done.length + refused.length).toBe(total)
        expect(attempts).toBeGreaterThan(1)
        expect(attempts).toBeLessThanOrEqual(attempts_max)
        expect(refused.length / total).toBeLessThan(refusedShare_max)
        // No process starves: even the slowest one has done most of its part.
        const least = Math.min(...processesAtWork.map((one) => one.done.length))
        expect(least).toBeGreaterThan((writers * commandsOfWriter) / 2)
        expect(p99_ms).toBeLessThan(paced(p99_ms_max))
      },
      test_ms_max,
    )
  }
})

/** The aggregates of one simulated process, and the results of its commands. */
interface Process {
  readonly invites: Aggregates['invite']
  /** The redemptions that succeeded, and those that were refused with CONFLICT. */
  readonly done: string[]
  readonly refused: string[]
  readonly took_ms: number[]
  readonly attempts_most: number
}

function processOn({ events, snapshots }: Store): Process {
  // Within a process the commands of one stream run one after another, so consecutive conflicts belong to one command.
  let [conflicts, attempts_most] = [0, 0]
  const store: EventStore = {
    ...events,
    async append(...given) {
      const result = await events.append(...given)
      attempts_most = Math.max(attempts_most, conflicts + 1)
      conflicts = result.outcome === 'conflict' && conflicts + 1 < attempts_max ? conflicts + 1 : 0
      return result
    },
  }
  const { invite: invites } = openAggregates({ store, snapshots })
  return {
    invites,
    done: [],
    refused: [],
    took_ms: [],
    get attempts_most() {
      return attempts_most
    },
  }
}

/** One writer, which sends one command after another. */
async function write({ invites, done, refused, took_ms }: Process, commands: number): Promise<void> {
  for (let command = 0; command < commands; command += 1) {
    const redemptionId = randomUUID()
    const now = timestamp(Date.now())
    const began = performance.now()
    try {
      await invites.execute(code, { type: 'RedeemInvite', accountId: account(2), redemptionId, now }, testContext())
      done.push(redemptionId)
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
      refused.push(redemptionId)
    }
    took_ms.push(performance.now() - began)
  }
}

async function redemptionsIn([store]: readonly Store[]): Promise<readonly string[]> {
  if (!store) throw new Error('There is no store')
  const found: string[] = []
  for await (const page of store.events.readStream(streamName('invite', code), 0)) {
    for (const { data } of page) found.push(redeemedEvent.parse(data).redemptionId)
  }
  return found
}

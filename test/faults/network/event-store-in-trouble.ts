import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { chance } from '../../support/load-random.ts'
import { isLong } from '../../support/fault-table.ts'
import { call, createInvite, currentUser, send, type ApiAnswer } from '../../support/load-api.ts'
import { wholeHistory } from '../store-checks.ts'
import { administrationAtWork } from './administration-at-work.ts'
import type { OnNetwork } from './network-stage.ts'
import { noteFindings, nothingWrong, productFindings } from './product-findings.ts'
import { paced } from '../../support/pace.ts'

/** Long enough that every write sent is refused before its end. */
const stop_ms = isLong ? 30_000 : 12_000
/** An append whose refusal is older than this must not be accepted: 1 s by its deadlines, plus the way to the client. */
const late_ms_max = 1500
const cuts = isLong ? 400 : 40
/** An append may take 8 s (defaultDeadlines), and the rest of the request a little. */
const write_ms_max = 12_000
const recovery_ms_max = 5000
/** Clients that send once and give up. There are more of them than could be served in the time if all were kept waiting. */
const offered_per_s = 100
const offered_ms = 3000
/** A minimum that a busy machine reaches too: so many are refused before the event store goes on. */
const offered_min = 30
/** The memory that the requests under way may take. An unbounded queue of them would take far more. */
const memory_bytes_max = 150 * 1024 * 1024

export function eventStoreInTrouble(on: OnNetwork, seed: number): void {
  describe('An event store in trouble', () => {
    interface Offered {
      readonly maxAge: number
      readonly key: string
      readonly ms: number
      /** The time of the answer, by performance.now(). */
      readonly at: number
      readonly answer: ApiAnswer
    }

    async function offer(maxAge: number, key: string = randomUUID()): Promise<Offered> {
      const { guilds, guildhall } = on()
      const request = createInvite(guilds.owner, guilds.guild.textChannel, { max_uses: 1, max_age: maxAge })
      const began = performance.now()
      const answer = await send(guildhall.url, request, key)
      const at = performance.now()
      return { maxAge, key, ms: at - began, at, answer }
    }

    /** Sends writes for a while, and a read now and then; returns the writes, which may not be answered yet. */
    async function offerWrites(): Promise<readonly Promise<Offered>[]> {
      const { guilds, guildhall } = on()
      const began = performance.now()
      const offers: Promise<Offered>[] = []
      for (let age = 100_000; performance.now() - began < offered_ms || offers.length < offered_min; age += 1) {
        offers.push(offer(age))
        if (age % 20 === 0) await call(guildhall.url, currentUser(guilds.owner))
        await sleep(1000 / offered_per_s)
      }
      return offers
    }

    /** Counts invites by `max_age`: each request asks for an age of its own. */
    async function invitesMade(): Promise<ReadonlyMap<number, number>> {
      const counts = new Map<number, number>()
      for (const { type, data } of await wholeHistory(on().guildhall.store)) {
        if (type !== 'InviteCreated') continue
        const age: unknown = Object.entries(data).find(([name]) => name === 'maxAge')?.[1]
        counts.set(Number(age), (counts.get(Number(age)) ?? 0) + 1)
      }
      return counts
    }

    /** Compares the answers with the store, and repeats some of the refused requests. */
    async function truthOf(answered: readonly Offered[], continued: number) {
      expect(answered.filter(({ answer }) => answer.status !== 200 && answer.status !== 503)).toEqual([])
      expect(Math.max(...answered.map(({ ms }) => ms))).toBeLessThan(paced(write_ms_max))
      const refused = answered.filter(({ answer }) => answer.status === 503)
      const made = await invitesMade()
      const untrue = answered.filter(({ maxAge, answer }) => (made.get(maxAge) ?? 0) !== 1 && answer.status === 200)
      expect(untrue, 'told of an invite that is not there, or there twice').toEqual([])
      const early = refused.filter(({ at }) => at < continued - late_ms_max)
      expect(early.length).toBeGreaterThan(20)
      expect(early.filter(({ maxAge }) => made.has(maxAge))).toEqual([])
      const late = refused.filter(({ maxAge }) => made.has(maxAge))
      // A refusal means "not known" for a write that was already sent. A repeat of the request with its key finds the result.
      const again = await Promise.all([...late, ...refused.slice(0, 10)].map(({ maxAge, key }) => offer(maxAge, key)))
      expect(again.map(({ answer }) => answer.status)).toEqual(again.map(() => 200))
      const after = await invitesMade()
      expect(again.map(({ maxAge }) => after.get(maxAge))).toEqual(again.map(() => 1))
      return { answered: answered.length, refused: refused.length, late: late.length }
    }

    it('F7: that hangs has writes refused in time and reads served, and a refused write is done once when it is repeated', async () => {
      const { guilds, guildhall, eventStore } = on()
      const administration = await administrationAtWork(guildhall)
      guilds.write()
      await sleep(300)
      eventStore.standStill()
      const acting = administration.act()
      const stopped = performance.now()
      const memory = process.memoryUsage().rss
      const offers = await offerWrites()
      const reads = await Promise.all(Array.from({ length: 50 }, () => send(guildhall.url, currentUser(guilds.owner))))
      expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200))
      const grown = process.memoryUsage().rss - memory
      await Promise.all(offers.slice(0, offered_min))
      await sleep(Math.max(late_ms_max, stop_ms - (performance.now() - stopped)))
      eventStore.goOn()
      const continued = performance.now()
      const recovered_ms = await guilds.mark()
      await guilds.rest()

      expect(await acting).toBeGreaterThan(0)
      expect(await administration.findings()).toEqual([])
      const { answered, refused, late } = await truthOf(await Promise.all(offers), continued)
      await guilds.mark()
      const found = await productFindings(guilds, guildhall.store)
      const note = `${refused} of ${answered} offered writes refused, ${late} of them taken late, memory +${Math.round(grown / 1024 / 1024)} MiB`
      noteFindings('F7', { title: `event store stopped ${stop_ms / 1000} s`, runs: 1, recovered_ms, note }, found)
      expect(found.extent.facts).toBeGreaterThan(5)
      expect(found.findings).toEqual(nothingWrong)
      expect(recovered_ms).toBeLessThan(paced(recovery_ms_max))
      expect(grown).toBeLessThan(memory_bytes_max)
    })

    it('F8: that resets connections during appends has each command done once, and each client answered so', async () => {
      const { guilds, guildhall, eventStore } = on()
      const random = chance(seed)
      guilds.write()
      for (let cut = 0; cut < cuts; cut += 1) {
        await eventStore.proxy.resetAfter(random.between(1, 6000))
        await sleep(random.between(0, 40))
      }
      const recovered_ms = await guilds.mark()
      await guilds.rest()
      await guilds.mark()
      const found = await productFindings(guilds, guildhall.store)
      const note = `${found.extent.retried} commands retried`
      noteFindings('F8', { title: 'event store resets in mid-append', runs: cuts, recovered_ms, note }, found)
      expect(found.extent.facts).toBeGreaterThan(5)
      expect(found.findings).toEqual(nothingWrong)
      expect(recovered_ms).toBeLessThan(paced(recovery_ms_max))
    })
  })
}

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeSignal, signalBytes_max } from '../../../adapters/bus/signal-encoding.ts'
import {
  factsPerSignal_max,
  sessionsPerAccount_max,
  heartbeat_ms,
  lag_ms,
  silence_ms_max,
  tick_ms,
} from '../../../application/presence/presence-bounds.ts'
import { sealedSayings } from '../../../application/presence/sealed-sayings.ts'
import { PresenceAnnouncer } from '../../../application/presence/presence-announcer.ts'
import type { PresentSession } from '../../../application/ports/presence.ts'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { snowflake, snowflakeMax } from '../../../domain/ids/snowflake.ts'
import { account, guild, openInstance, session, type FakeGateway, type Instance } from './support/instance.ts'

let instance: Instance
beforeEach(() => {
  instance = openInstance()
})

/** Enough for a change here to be known there, and for its consequences to be known here. */
const known_ms = 4 * tick_ms
/** Enough for the next heartbeat to reveal a lost signal, and for two requests for it. */
const repaired_ms = 2 * heartbeat_ms + 2000

describe('an account that is online at two Gateways', () => {
  let low: FakeGateway
  let high: FakeGateway
  beforeEach(() => {
    ;[low, high] = [instance.gateway(1), instance.gateway(2)]
  })

  it.each(['low first', 'high first', 'together'])(
    'counts once in each guild, whichever had it first: %s',
    async (order) => {
      const directory = instance.directory()
      const come = [() => low.put(account(1), [guild(1), guild(2)]), () => high.put(account(1), [guild(1), guild(2)])]
      for (const put of order === 'high first' ? come.toReversed() : come) {
        put()
        if (order !== 'together') await instance.advance(known_ms)
      }
      await instance.advance(known_ms)
      for (const one of [guild(1), guild(2)]) {
        expect([low, high, directory].map((who) => who.onlineCount(one))).toStrictEqual([1, 1, 1])
      }
    },
  )

  it.each(['low', 'high'])('is still counted when it goes from the %s one', async (which) => {
    const directory = instance.directory()
    low.put(account(1), [guild(1)])
    high.put(account(1), [guild(1)])
    await instance.advance(known_ms)
    ;(which === 'low' ? low : high).remove(account(1))
    await instance.advance(known_ms)
    expect([low, high, directory].map((who) => who.onlineCount(guild(1)))).toStrictEqual([1, 1, 1])
    ;(which === 'low' ? high : low).remove(account(1))
    await instance.advance(known_ms)
    expect([low, high, directory].map((who) => who.onlineCount(guild(1)))).toStrictEqual([0, 0, 0])
  })

  it('is still counted when the one that counted it dies', async () => {
    const directory = instance.directory()
    low.put(account(1), [guild(1)])
    low.put(account(2), [guild(1)])
    high.put(account(1), [guild(1)])
    await instance.advance(known_ms)
    expect(directory.onlineCount(guild(1))).toBe(2)
    low.crash()
    await instance.advance(silence_ms_max + known_ms)
    expect([high, directory].map((who) => who.onlineCount(guild(1)))).toStrictEqual([1, 1])
  })

  it('counts by the Gateway where it is visible, if it is invisible at the other', async () => {
    const directory = instance.directory()
    low.put(account(1), [])
    high.put(account(1), [guild(1)])
    await instance.advance(known_ms)
    expect([low, high, directory].map((who) => who.onlineCount(guild(1)))).toStrictEqual([1, 1, 1])
    low.put(account(1), [guild(1)])
    high.put(account(1), [])
    await instance.advance(known_ms)
    expect([low, high, directory].map((who) => who.onlineCount(guild(1)))).toStrictEqual([1, 1, 1])
  })

  it('joins and leaves guilds in both', async () => {
    const directory = instance.directory()
    for (const gateway of [low, high]) gateway.put(account(1), [guild(1)])
    await instance.advance(known_ms)
    for (const gateway of [low, high]) gateway.put(account(1), [guild(2), guild(3)])
    await instance.advance(known_ms)
    const counts = [1, 2, 3].map((number) => [low, high, directory].map((who) => who.onlineCount(guild(number))))
    expect(counts).toStrictEqual([
      [0, 0, 0],
      [1, 1, 1],
      [1, 1, 1],
    ])
  })
})

describe('a Gateway’s own sessions', () => {
  it('count at once, before anybody was told', () => {
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    expect(gateway.onlineCount(guild(1))).toBe(1)
  })

  it('count while the others are not heard', async () => {
    const [one, other] = [instance.gateway(1), instance.gateway(2)]
    one.put(account(1), [guild(1)])
    other.put(account(1), [guild(1)])
    other.put(account(2), [guild(1)])
    await instance.advance(known_ms)
    expect(other.onlineCount(guild(1))).toBe(2)
    instance.isLost = () => true
    await instance.advance(silence_ms_max + known_ms)
    expect([one, other].map((who) => who.onlineCount(guild(1)))).toStrictEqual([1, 2])
    instance.isLost = () => false
    await instance.advance(repaired_ms)
    expect([one, other].map((who) => who.onlineCount(guild(1)))).toStrictEqual([2, 2])
  })
})

describe('the announcements of a Gateway', () => {
  it('fit into signals, for any ids and numbers, and come in bounded portions', () => {
    const none: readonly PresentSession[] = []
    expect(portionsOf(10 * factsPerSignal_max, none)).toStrictEqual({ change: 20, snapshot: 20 })
  })

  it('fit with sessions too, and list as many as fit of an account with more than a user may have', () => {
    const few = [session(2 ** 40, 'invisible')]
    const many = Array.from({ length: 2 * sessionsPerAccount_max }, (_, number) => session(number, 'invisible'))
    const [accountsWithFew, accountsWithMany] = [400, 20]
    // With four facts for each account, 100 accounts fit a signal; with 202 facts, one account. The counts fill the rest.
    expect(portionsOf(accountsWithFew, few)).toStrictEqual({ change: 5, snapshot: 5 })
    expect(portionsOf(accountsWithMany, many)).toStrictEqual({ change: 20, snapshot: 20 })
    // One of them speaks for all, with the largest custom status of an Identify.
    const customStatus = { text: '"'.repeat(2000), expiresAt: null, emojiId: null, emojiName: null }
    const saying = many.map((each) => ({ ...each, status: 'idle' as const, customStatus }))
    expect(portionsOf(accountsWithMany, saying)).toStrictEqual({ change: 20, snapshot: 20 })
  })

  /** The number of signals for this many accounts and guilds: as changes, and again as a snapshot. */
  function portionsOf(accounts: number, sessions: readonly PresentSession[]): Record<'change' | 'snapshot', number> {
    const said: object[] = []
    const highest = (less: number) => snowflake((snowflakeMax - BigInt(less)).toString())
    const announcer = new PresenceAnnouncer({
      gatewayId: 'f'.repeat(64),
      sayings: sealedSayings(new Uint8Array(32), () => undefined),
      publish: (payload) => {
        expect(encodeSignal('presence', payload).byteLength).toBeLessThanOrEqual(signalBytes_max)
        said.push(payload)
      },
      factOf: () => ({ standing: 'counted', sessions }),
      countOf: () => 2_000_000_000,
    })
    for (let number = 0; number < accounts; number += 1) {
      announcer.accountChanged(accountId(highest(number)))
      announcer.guildChanged(guildId(highest(number)))
    }
    announcer.tick(0)
    expect(said.length).toBeLessThanOrEqual(17)
    announcer.tick(tick_ms)
    announcer.asked()
    for (let now_ms = 100; now_ms < 2000; now_ms += tick_ms) announcer.tick(now_ms)
    const types = said.flatMap((payload) => ('type' in payload ? [payload.type] : []))
    const count = (wanted: string): number => types.filter((type) => type === wanted).length
    return { change: count('change'), snapshot: count('snapshot') }
  }
})

type Step =
  | { readonly do: 'show' | 'hide' | 'remove'; readonly gateway: number; readonly account: number }
  | { readonly do: 'belong'; readonly account: number; readonly guilds: readonly number[] }
  | { readonly do: 'pass'; readonly ticks: number }
  | { readonly do: 'lose'; readonly signals: number }

const [gateways, accounts, guilds] = [3, 4, 3]
const index = (below: number) => fc.nat({ max: below - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('show' as const, 'hide' as const, 'remove' as const),
    gateway: index(gateways),
    account: index(accounts),
  }),
  fc.record({
    do: fc.constant('belong' as const),
    account: index(accounts),
    guilds: fc.uniqueArray(index(guilds), { maxLength: guilds }),
  }),
  fc.record({ do: fc.constant('pass' as const), ticks: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ do: fc.constant('lose' as const), signals: fc.integer({ min: 1, max: 3 }) }),
)

/**
 * The true state: the guilds of each account, which are the same at every Gateway, and the Gateways where it is, visible or not.
 */
class Truth {
  readonly #all: readonly FakeGateway[]
  readonly #guilds = new Map<number, readonly number[]>()
  readonly #isSeen: readonly Map<number, boolean>[]

  constructor(all: readonly FakeGateway[]) {
    this.#all = all
    this.#isSeen = all.map(() => new Map<number, boolean>())
  }

  async play(one: Step): Promise<void> {
    if (one.do === 'pass') await instance.advance(one.ticks * tick_ms)
    else if (one.do === 'lose') {
      let left = one.signals
      instance.isLost = () => left-- > 0
    } else if (one.do === 'belong') {
      this.#guilds.set(one.account, one.guilds)
      for (const [number, seen] of this.#isSeen.entries()) if (seen.has(one.account)) this.#tell(number, one.account)
    } else {
      if (one.do === 'remove') this.#isSeen[one.gateway]?.delete(one.account)
      else this.#isSeen[one.gateway]?.set(one.account, one.do === 'show')
      this.#tell(one.gateway, one.account)
    }
  }

  /** The number of online accounts in each guild. */
  counts(): readonly number[] {
    const online = new Set(this.#isSeen.flatMap((seen) => [...seen].flatMap(([who, isSeen]) => (isSeen ? [who] : []))))
    return Array.from(
      { length: guilds },
      (_, number) => [...online].filter((who) => this.#guilds.get(who)?.includes(number)).length,
    )
  }

  /** The sessions of an account at the other Gateways. */
  sessionsElsewhere(number: number, who: number): readonly PresentSession[] {
    return this.#isSeen.flatMap((seen, other) =>
      other !== number && seen.has(who) ? [sessionAt(other, seen.get(who))] : [],
    )
  }

  isPresent(who: number): boolean {
    return this.#isSeen.some((seen) => seen.has(who))
  }

  #tell(number: number, who: number): void {
    const isSeen = this.#isSeen[number]?.get(who)
    if (isSeen === undefined) this.#all[number]?.remove(account(who))
    else {
      const guilds = isSeen ? (this.#guilds.get(who) ?? []).map(guild) : []
      this.#all[number]?.put(account(who), guilds, [sessionAt(number, isSeen)])
    }
  }
}

const sessionAt = (number: number, isSeen: boolean | undefined): PresentSession =>
  session(number, isSeen === true ? 'online' : 'invisible')

describe('all processes, whatever comes, goes and is lost,', () => {
  it('reach the same numbers and sessions, which are right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        instance = openInstance()
        const directory = instance.directory()
        const all = Array.from({ length: gateways }, (_, number) => instance.gateway(number + 1))
        const truth = new Truth(all)
        for (const one of steps) await truth.play(one)
        instance.isLost = () => false
        await instance.advance(repaired_ms)
        const expected = truth.counts()
        for (const who of [...all, directory]) {
          expect(expected.map((_, number) => who.onlineCount(guild(number)))).toStrictEqual(expected)
        }
        for (const [number, { exchange }] of all.entries()) {
          for (let who = 0; who < accounts; who += 1) {
            const known = exchange
              .sessionsElsewhere(account(who))
              .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            expect(known).toStrictEqual(truth.sessionsElsewhere(number, who))
          }
        }
        const asked = Promise.all(Array.from({ length: accounts }, (_, who) => directory.isPresent(account(who))))
        await instance.advance(lag_ms)
        expect(await asked).toStrictEqual(Array.from({ length: accounts }, (_, who) => truth.isPresent(who)))
      }),
      { numRuns: 60 },
    )
  })
})

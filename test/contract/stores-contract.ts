import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoreAnswer, StoreKey, StoreReading, Stores } from '../../application/ports/stores.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import type { PurchaseKind } from '../../domain/store-purchase/purchase-facts.ts'
import type { JsonServer } from '../support/stores/json-server.ts'
import type { TestClock } from '../support/stores/test-clock.ts'

/** A client of the store. */
export interface StoreCalls {
  readonly stores: Stores
  /** Calls that change a purchase of a kind. */
  changes(key: StoreKey): readonly (() => Promise<StoreAnswer<null>>)[]
  /** The call of the store's list: of the past second. */
  list(pages_max: number): Promise<StoreAnswer<readonly unknown[]>>
}

export interface OpenStore extends StoreCalls {
  /** Another client of the same store, which waits for answers no longer than this. */
  within(answer_ms: number): StoreCalls
  readonly double: JsonServer & { readonly clock: TestClock }
  sell(kind: PurchaseKind): StoreKey
  /** How its products are called, and in which slots they are. */
  readonly products: Readonly<Record<PurchaseKind, { readonly productId: string; readonly slot: string }>>
  unknown(kind: PurchaseKind): StoreKey
  close(): Promise<void>
}

/** For stores that do not answer. */
const short_ms = 200

const kinds: readonly PurchaseKind[] = ['subscription', 'gift']

/** The behaviour of every client of a store behind the port Stores. `open` returns a new store without purchases for each test. */
export function storesContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name}, as a store,`, () => {
    let opened: OpenStore
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())
    for (const part of [reading, failing, changing]) part(() => opened)
  })
}

type Part = (opened: () => OpenStore) => void

const reading: Part = (opened) => {
  it.each(kinds)('reads a %s: what was bought, and that it counts', async (kind) => {
    const { stores, products, sell, double } = opened()
    const key = sell(kind)
    const { facts, key: read, asOf } = readingOf(await stores.read(key))
    expect(read).toEqual(key)
    expect(msOf(asOf)).toBe(double.clock.now())
    expect(facts).toMatchObject({ ...products[kind], environment: 'production', grants: true, quantity: 1 })
    expect(facts.state).toBe(kind === 'gift' ? 'purchased' : 'active')
  })
  it('gives a subscription its end, and a gift none', async () => {
    const { stores, sell, double } = opened()
    const subscription = readingOf(await stores.read(sell('subscription'))).facts
    expect(msOf(subscription.expiresAt ?? asTime(0))).toBeGreaterThan(double.clock.now())
    expect(subscription.autoRenew).toBe(true)
    const gift = readingOf(await stores.read(sell('gift'))).facts
    expect(gift).toMatchObject({ expiresAt: null, graceEndsAt: null, autoRenew: null })
  })
  it('gives the same facts to each read, and later ones a later time', async () => {
    const { stores, sell, double } = opened()
    const key = sell('subscription')
    const first = readingOf(await stores.read(key))
    double.clock.pass(1000)
    const second = readingOf(await stores.read(key))
    expect(second.facts).toEqual(first.facts)
    expect(msOf(second.asOf) - msOf(first.asOf)).toBe(1000)
  })
  it.each(kinds)('does not find a %s that the store does not know', async (kind) => {
    const { stores, unknown } = opened()
    expect(await stores.read(unknown(kind))).toMatchObject({ ok: false, failure: { kind: 'not found' } })
  })
}

const failing: Part = (opened) => {
  it.each([401, 403, 429, 500, 503, 'silence', 'broken', 'nonsense', { late_ms: 2000 }] as const)(
    'is unavailable where the store answers %j, in a read and in a change, and is there again afterwards',
    async (fault) => {
      const { stores, sell, double, within } = opened()
      const keys = kinds.map(sell)
      double.fault = fault
      const isSlow = fault === 'silence' || typeof fault === 'object'
      const { changes, list, ...asked } = isSlow ? within(short_ms) : opened()
      const calls = keys.flatMap((key) => [() => asked.stores.read(key), ...changes(key)])
      const answers = await Promise.all([...calls.map((call) => call()), list(1)])
      for (const answer of answers.filter((_, index) => fault !== 'nonsense' || index === 0))
        expect(answer).toMatchObject({ ok: false, failure: { kind: 'unavailable' } })
      double.fault = undefined
      for (const key of keys) expect((await stores.read(key)).ok).toBe(true)
    },
  )
  it('tells nothing of a purchase and of its keys in a failure', async () => {
    const { stores, sell, unknown, double } = opened()
    const keys = [...kinds.map(sell), ...kinds.map(unknown)]
    for (const fault of [undefined, 403, 500, 'broken'] as const) {
      double.fault = fault
      for (const key of keys) {
        const answer = await stores.read(key)
        if (!answer.ok) expect(answer.failure.detail).toMatch(/^[a-z]+(_[a-z\d]+)*$/)
      }
    }
  })
  it('is not unavailable because the store has gone: it says so as a value', async () => {
    const { stores, sell, double } = opened()
    const key = sell('gift')
    await double.close()
    expect(await stores.read(key)).toMatchObject({ ok: false, failure: { kind: 'unavailable', detail: 'connection' } })
  })
}

const changing: Part = (opened) => {
  it.each(kinds)('changes a %s', async (kind) => {
    const { sell, changes } = opened()
    const key = sell(kind)
    for (const change of changes(key)) expect(await change()).toEqual({ ok: true, value: null })
  })
  it.each(kinds)('changes no %s that the store does not know', async (kind) => {
    const { unknown, changes } = opened()
    for (const change of changes(unknown(kind)))
      expect(await change()).toMatchObject({ ok: false, failure: { kind: 'not found' } })
  })
  it('lists nothing where nothing was', async () => {
    expect(await opened().list(50)).toEqual({ ok: true, value: [] })
  })
}

/** The reading in an answer; throws the failure. */
export function readingOf(answer: StoreAnswer<StoreReading>): StoreReading {
  if (answer.ok) return answer.value
  throw new Error(`${answer.failure.kind}: ${answer.failure.detail}`)
}

function asTime(ms: number) {
  return new Date(ms).toISOString() as StoreReading['asOf']
}

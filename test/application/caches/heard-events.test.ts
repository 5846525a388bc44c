import { beforeEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { heardEvents, type HeardEvents } from '../../../application/caches/heard-events.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'

const eventAt = (position: number): RecordedEvent => ({ position: BigInt(position) }) as RecordedEvent
const at = (position: number) => ({ low: BigInt(position), high: BigInt(position) })
const eventsTo = (first: number, last: number): readonly RecordedEvent[] =>
  Array.from({ length: last - first + 1 }, (_, index) => eventAt(first + index))

let passed: number[]
let dropped: number
let heard: HeardEvents
beforeEach(() => {
  passed = []
  dropped = 0
  heard = heardEvents({
    from: 10n,
    pass: ({ position }) => void passed.push(Number(position)),
    passAll: () => void (dropped += 1),
    waiting_max: 5,
  })
})

describe('the events that a process hears', () => {
  it('are passed on once the read models hold them', () => {
    heard.asOf(at(10))
    heard.hear(eventsTo(11, 13))
    expect(passed).toStrictEqual([])
    heard.asOf(at(12))
    expect([passed, heard.position]).toStrictEqual([[11, 12], 12n])
    heard.asOf(at(13))
    expect([passed, heard.position]).toStrictEqual([[11, 12, 13], 13n])
  })

  it('leave the cache unused while the read models are known to hold others', () => {
    heard.asOf(at(10))
    expect(heard.isCurrent).toBe(true)
    heard.asOf(at(12))
    expect(heard.isCurrent).toBe(false)
    heard.hear(eventsTo(11, 11))
    expect([passed, heard.isCurrent]).toStrictEqual([[11], false])
    heard.hear(eventsTo(12, 14))
    expect([passed, heard.isCurrent, heard.position]).toStrictEqual([[11, 12], true, 12n])
  })

  it('leave it unused too before the read models hold what came before the first of them', () => {
    heard.asOf(at(9))
    expect(heard.isCurrent).toBe(false)
    heard.asOf(at(10))
    expect(heard.isCurrent).toBe(true)
  })

  it('are passed on once each', () => {
    heard.asOf(at(20))
    heard.hear(eventsTo(11, 13))
    heard.hear(eventsTo(14, 14))
    expect(passed).toStrictEqual([11, 12, 13, 14])
  })

  it('are passed on at once if the store had left them out before', () => {
    heard.asOf(at(10))
    heard.hear([eventAt(11), eventAt(14)])
    heard.hear([eventAt(12), eventAt(15)])
    expect([passed, heard.heard]).toStrictEqual([[12], 15n])
  })

  it('leave the cache unused while one read model is behind the others', () => {
    heard.hear(eventsTo(11, 14))
    heard.asOf({ low: 12n, high: 14n })
    expect([passed, heard.isCurrent]).toStrictEqual([[11, 12], false])
    heard.asOf(at(13))
    expect(heard.isCurrent).toBe(false)
    heard.asOf(at(14))
    expect([passed, heard.isCurrent]).toStrictEqual([[11, 12, 13, 14], true])
  })

  it('drop all that is cached if too many wait, and it stays unused until the read models hold them', () => {
    heard.asOf(at(10))
    heard.hear(eventsTo(11, 16))
    expect([dropped, heard.isCurrent]).toStrictEqual([1, false])
    heard.asOf(at(15))
    expect(heard.isCurrent).toBe(false)
    heard.hear(eventsTo(17, 18))
    heard.asOf(at(17))
    expect([passed, heard.isCurrent]).toStrictEqual([[17], true])
  })

  it('were all passed on up to the position, and none beyond it, in whatever order news come', () => {
    const news = fc.array(fc.record({ isAsOf: fc.boolean(), by: fc.integer({ min: 0, max: 3 }) }), { maxLength: 60 })
    fc.assert(
      fc.property(news, (all) => {
        const told: number[] = []
        const own = heardEvents({
          from: 0n,
          pass: ({ position }) => void told.push(Number(position)),
          passAll: () => undefined,
        })
        let [last, held] = [0, 0]
        own.asOf(at(0))
        for (const { isAsOf, by } of all) {
          if (isAsOf) own.asOf(at((held += by)))
          else own.hear(eventsTo(last + 1, (last += by)))
          expect(told).toStrictEqual(Array.from({ length: Math.min(last, held) }, (_, index) => index + 1))
          expect(own.isCurrent).toBe(held <= last)
        }
      }),
    )
  })
})

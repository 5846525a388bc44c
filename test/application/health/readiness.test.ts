import { describe, expect, it, onTestFinished } from 'vitest'
import { openOutages } from '../../../application/health/open-outages.ts'
import { answeredInTime, NoAnswer } from '../../../application/health/answered-in-time.ts'
import { failing_ms_max, openReadiness, type Check } from '../../../application/health/open-readiness.ts'
import type { Outage, Outages } from '../../../application/ports/outages.ts'

const silent = { warn: () => undefined, debug: () => undefined, isLevelEnabled: () => false }

function opened(checks: readonly Check[], outages: Outages = openOutages({ log: silent })) {
  const readiness = openReadiness({ checks, outages })
  onTestFinished(() => readiness.close())
  return { readiness, outages }
}

const never = () => new Promise<never>(() => undefined)

describe('readiness', () => {
  it('names what rejects and what does not answer in time, and ends with the answer', async () => {
    let isOut = true
    let answer = (): void => undefined
    const late = new Promise<void>((resolve) => (answer = resolve))
    const checks: readonly Check[] = [
      { part: 'postgres', isNeeded: true, ask: () => (isOut ? Promise.reject(new Error('gone')) : Promise.resolve()) },
      { part: 'event store', isNeeded: true, answer_ms_max: 20, ask: () => (isOut ? late : Promise.resolve()) },
      { part: 'nats', isNeeded: false, ask: () => (isOut ? Promise.reject(new Error('gone')) : Promise.resolve()) },
      { part: 'read models', isNeeded: true, ask: () => Promise.resolve() },
    ]
    const { readiness, outages } = opened(checks)
    await expect
      .poll(() => readiness.state())
      .toEqual({ ready: false, missing: ['postgres', 'event store'], without: ['nats'] })
    expect(outages.current.map(({ part }) => part).toSorted()).toEqual(['event store', 'nats', 'postgres'])
    isOut = false
    answer()
    await expect.poll(() => readiness.state()).toEqual({ ready: true, missing: [], without: [] })
  })

  it('is ready while only a dispensable part is out', async () => {
    const nats: Check = { part: 'nats', isNeeded: false, ask: () => Promise.reject(new Error('gone')) }
    const { readiness } = opened([nats])
    await expect.poll(() => readiness.state()).toEqual({ ready: true, missing: [], without: ['nats'] })
  })

  it('trusts repeated failures of requests more than an event store that answers a check, and a full disk at once', () => {
    const current: Outage[] = []
    const outages: Outages = { current, failed: () => true, count: () => undefined, lasts: () => undefined }
    const { readiness } = opened([], outages)
    const failing = (part: Outage['part'], failing_ms: number): readonly string[] => {
      current.splice(0, current.length, { part, since: new Date(), failing_ms })
      return readiness.state().missing
    }
    expect(failing('event store', failing_ms_max - 1)).toEqual([])
    expect(failing('event store', failing_ms_max)).toEqual(['event store'])
    expect(failing('disk', 0)).toEqual(['disk'])
    expect(failing('requests', 60_000)).toEqual([])
  })
})

describe('an answer in time', () => {
  it('also counts if the event loop was blocked for longer than the answer may take', async () => {
    const asked = new Promise((resolve) => setImmediate(() => resolve('answered')))
    const answer = answeredInTime('postgres', asked, 5)
    const until = performance.now() + 50
    while (performance.now() < until);
    expect(await answer).toBe('answered')
    await expect(answeredInTime('postgres', never(), 5)).rejects.toThrow(NoAnswer)
  })
})

import { describe, expect, it } from 'vitest'
import { requestQueue, type Turn } from '../../../../adapters/http/request/queues/request-queue.ts'
import { afterThisTest } from '../support.ts'

/** Nobody waits for so long, however busy the machine is. */
const long_ms = 600_000
const known = { isKnown: true, isGone: () => false }
const stranger = { ...known, isKnown: false }

/** A queue for two requests at once; it ends with the test. */
function opened(given: { readonly wait_ms_max?: number; readonly turn_ms_max?: number } = {}) {
  const bounds = { wait_ms_max: long_ms, target_ms: long_ms, interval_ms: long_ms, turn_ms_max: long_ms, atWork_max: 2 }
  let shed = 0
  const line = requestQueue({ ...bounds, ...given }, () => (shed += 1))
  afterThisTest(() => line.close())
  return { line, shed: () => shed }
}

/** A turn that is available at once. */
function atOnce(given: Turn | Promise<Turn | undefined>): Turn {
  if (given instanceof Promise) throw new Error('It has to wait')
  return given
}

describe('the line of requests', () => {
  it('gives turns at once while there are some, and the next one when one ends', async () => {
    const { line } = opened()
    const first = atOnce(line.enter(known))
    const second = atOnce(line.enter(known))
    const third = line.enter(known)
    expect(line.waiting).toBe(1)
    first.end()
    first.end()
    const turn = await third
    expect(turn).toBeDefined()
    const fourth = line.enter(known)
    expect(fourth).toBeInstanceOf(Promise)
    second.end()
    expect(await fourth).toBeDefined()
  })

  it('lets whoever is known go before strangers who came earlier', async () => {
    const { line } = opened()
    const turns = [atOnce(line.enter(known)), atOnce(line.enter(known))]
    const order: string[] = []
    const went = [
      Promise.resolve(line.enter(stranger)).then(() => order.push('stranger')),
      Promise.resolve(line.enter(known)).then(() => order.push('known')),
    ]
    for (const turn of turns) turn.end()
    await Promise.all(went)
    expect(order).toEqual(['known', 'stranger'])
  })

  it('sheds who waits too long, also where no turn ever ends, and counts it', async () => {
    const { line, shed } = opened({ wait_ms_max: 60 })
    atOnce(line.enter(known))
    atOnce(line.enter(known))
    const began = performance.now()
    expect(await line.enter(known)).toBeUndefined()
    expect(performance.now() - began).toBeGreaterThanOrEqual(59)
    expect([shed(), line.waiting]).toEqual([1, 0])
  })

  it('lets the next one go while a request waits for its client, which then goes on without waiting again', async () => {
    const { line } = opened()
    const paused = atOnce(line.enter(known))
    const other = atOnce(line.enter(known))
    const third = line.enter(known)
    paused.pause()
    expect(await third).toBeDefined()
    paused.resume()
    const fourth = line.enter(known)
    other.end()
    // Two are in progress again: the fourth goes on waiting until one of them ends.
    expect(line.waiting).toBe(1)
    paused.end()
    expect(await fourth).toBeDefined()
  })

  it('is not held by requests that wait for something else', async () => {
    const { line } = opened({ turn_ms_max: 60 })
    const slow = [atOnce(line.enter(known)), atOnce(line.enter(known))]
    const next = await line.enter(known)
    expect(next).toBeDefined()
    for (const turn of slow) turn.end()
    atOnce(line.enter(known))
  })

  it('sheds everybody at its end', async () => {
    const { line } = opened()
    atOnce(line.enter(known))
    atOnce(line.enter(known))
    const waiting = [known, stranger].map(async (comer) => line.enter(comer))
    line.close()
    expect(await Promise.all(waiting)).toEqual([undefined, undefined])
    expect(await line.enter(known)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { delayedQueue, type Waiter } from '../../../../adapters/http/request/queues/delayed-queue.ts'

interface Named extends Waiter {
  readonly name: string
}

/** A queue with short bounds, and the names of the items that it has dropped. */
function opened(gone: ReadonlySet<string> = new Set()) {
  const shed: string[] = []
  const queue = delayedQueue<Named>({ wait_ms_max: 100, target_ms: 20, interval_ms: 50 })
  return {
    queue,
    shed,
    add: (name: string, now_ms: number) =>
      queue.add({ name, shed: () => shed.push(name), isGone: () => gone.has(name) }, now_ms),
    take: (now_ms: number) => queue.take(now_ms)?.name,
  }
}

describe('a queue of requests', () => {
  it('serves the oldest first, and nobody if nobody waits', () => {
    const { queue, add, take, shed } = opened()
    for (const name of ['ada', 'bea', 'cay']) add(name, 0)
    expect([take(1), take(1), take(1), take(1)]).toEqual(['ada', 'bea', 'cay', undefined])
    expect([queue.length, queue.isOverloaded, shed]).toEqual([0, false, []])
  })

  it('keeps its order over many that come and go', () => {
    const { add, take } = opened()
    const taken: (string | undefined)[] = []
    for (let index = 0; index < 1000; index += 1) {
      add(`${index}`, 0)
      if (index % 3 > 0) taken.push(take(0))
    }
    for (let name = take(0); name !== undefined; name = take(0)) taken.push(name)
    expect(taken).toEqual(Array.from({ length: 1000 }, (_none, index) => `${index}`))
  })

  it('sheds nobody who waits for no longer than the bound, and whoever would wait longer, the oldest first', () => {
    const { queue, add, shed } = opened()
    add('ada', 0)
    add('bea', 1)
    add('cay', 50)
    queue.look(99)
    expect(shed).toEqual([])
    queue.look(101)
    expect(shed).toEqual(['ada', 'bea'])
    expect(queue.length).toBe(1)
  })

  it('is overloaded once everybody has waited longer than the target for an interval; then the newest goes first', () => {
    const { queue, add, take, shed } = opened()
    add('ada', 0)
    add('bea', 10)
    add('cay', 40)
    add('dee', 60)
    add('eve', 69)
    expect(take(25)).toBe('ada')
    expect(take(60)).toBe('bea')
    expect(queue.isOverloaded).toBe(false)
    expect(take(76)).toBe('eve')
    expect(queue.isOverloaded).toBe(true)
    expect(take(77)).toBe('dee')
    expect(shed).toEqual([])
  })

  it('is not overloaded where one of them went in time', () => {
    const { queue, add, take } = opened()
    for (const [name, now_ms] of [
      ['ada', 0],
      ['bea', 30],
      ['cay', 40],
      ['dee', 45],
    ] as const)
      add(name, now_ms)
    expect(take(30)).toBe('ada')
    expect(take(49)).toBe('bea')
    expect(take(90)).toBe('cay')
    expect(queue.isOverloaded).toBe(false)
  })

  it('is overloaded if nobody is served at all, and no longer once nobody waits', () => {
    const { queue, add, take, shed } = opened()
    add('ada', 0)
    add('bea', 70)
    queue.look(25)
    queue.look(80)
    expect(queue.isOverloaded).toBe(true)
    queue.look(120)
    expect(shed).toEqual(['ada'])
    expect(take(121)).toBe('bea')
    expect([queue.isOverloaded, queue.length]).toEqual([false, 0])
    add('cay', 122)
    add('dee', 122)
    expect([take(123), take(123)]).toEqual(['cay', 'dee'])
  })

  it('serves nobody whose client has gone', () => {
    const { add, take } = opened(new Set(['ada', 'cay']))
    for (const name of ['ada', 'bea', 'cay']) add(name, 0)
    expect([take(1), take(1)]).toEqual(['bea', undefined])
  })
})

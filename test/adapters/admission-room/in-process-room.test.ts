import { describe, expect, it } from 'vitest'
import { inProcessRoom } from '../../../adapters/admission-room/in-process-room.js'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A count that lags behind the acts, as a read model does, until an act is over. */
function counted(start = 0) {
  let there = start
  let shown = start
  let reads = 0
  return {
    get there() {
      return there
    },
    get reads() {
      return reads
    },
    count: async () => {
      reads += 1
      const seen = shown
      await pause(Math.random() * 3)
      return seen
    },
    act: async () => {
      await pause(Math.random() * 3)
      there += 1
      await pause(Math.random() * 3)
      shown = there
      return 'done'
    },
    leave: () => {
      there -= 1
      shown = there
    },
  }
}

describe('an admission room', () => {
  it.each([1, 2, 7, 20, 64])('lets in exactly as many of 64 at once as there is room for: %i', async (limit) => {
    const room = inProcessRoom()
    const rows = counted()
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => room.within('key', limit, rows.count, rows.act)),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(limit)
    expect(rows.there).toBe(limit)
  })

  it('reads the count once while the limit is far', async () => {
    const room = inProcessRoom()
    const rows = counted()
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => room.within('key', 1000, rows.count, rows.act)))
    }
    expect(rows.there).toBe(100)
    expect(rows.reads).toBeLessThanOrEqual(10)
  })

  it('acts side by side while the limit is far', async () => {
    const room = inProcessRoom()
    let atWork = 0
    let most = 0
    const act = async () => {
      most = Math.max(most, (atWork += 1))
      await pause(5)
      atWork -= 1
      return 'done'
    }
    await Promise.all(Array.from({ length: 8 }, () => room.within('key', 100, async () => 0, act)))
    expect(most).toBe(8)
  })

  it('has room again once something was taken away', async () => {
    const room = inProcessRoom()
    const rows = counted()
    for (let round = 0; round < 3; round += 1) await room.within('key', 3, rows.count, rows.act)
    expect(await room.within('key', 3, rows.count, rows.act)).toBeUndefined()
    rows.leave()
    expect(await room.within('key', 3, rows.count, rows.act)).toBe('done')
    expect(await room.within('key', 3, rows.count, rows.act)).toBeUndefined()
  })

  it('gives the place of an act that failed to another', async () => {
    const room = inProcessRoom()
    const rows = counted()
    const { promise: isAtWork, resolve: begin } = withResolvers()
    const failing = async () => {
      begin()
      await pause(2)
      throw new Error('refused')
    }
    const first = room.within('key', 1, rows.count, failing).catch((error: Error) => error.message)
    await isAtWork
    const others = await Promise.all([
      room.within('key', 1, rows.count, rows.act),
      room.within('key', 1, rows.count, rows.act),
    ])
    expect(await first).toBe('refused')
    expect(others.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(others.filter((outcome) => outcome === undefined)).toHaveLength(1)
  })

  it('keeps counts apart, and takes a count that fails for nothing but a failure', async () => {
    const room = inProcessRoom()
    const rows = counted()
    await room.within('one', 1, rows.count, rows.act)
    const others = counted()
    expect(await room.within('other', 1, others.count, others.act)).toBe('done')
    await expect(room.within('third', 1, () => Promise.reject(new Error('no count')), rows.act)).rejects.toThrow(
      'no count',
    )
    expect(
      await room.within(
        'third',
        1,
        async () => 0,
        async () => 'done',
      ),
    ).toBe('done')
  })
})

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

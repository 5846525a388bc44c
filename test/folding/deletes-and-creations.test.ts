import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openServer } from '../operations/support/scene.ts'
import { isLong } from '../support/fault-table.ts'
import { arenaOn } from './arena.ts'
import { endings, makings, type MoveName } from './moves.ts'
import { newRound, type Step } from './round.ts'

/**
 * Deletes that race with creations below them, over HTTP. Sessions fold what they hear. At the end each one must know what a new
 * READY would contain, and what HTTP answers. `FAULTS=long` plays more rounds.
 */

const rounds = isLong ? 40 : 2
const runs = isLong ? 300 : 8

const arena = arenaOn(await openServer())

/** Returns what sessions have permanently wrong after some moves at almost the same moment. */
async function wrongAfter(steps: readonly Step[]): Promise<readonly string[]> {
  const round = await newRound(arena)
  try {
    const statuses = await round.play(steps)
    expect(statuses.filter((status) => status >= 500)).toStrictEqual([])
    return await round.differences()
  } finally {
    round.end()
  }
}

describe('while its channel is deleted', () => {
  /** The moment of the deletion moves through the time of the request. */
  const eachMoment = Array.from({ length: rounds }, (_, round) => ({ after_ms: round % 6 }))

  it.each<MoveName>(['write in thread as guest', 'start thread', 'join thread', 'add to secret thread'])(
    '%s leaves no session with a thread that does not exist',
    async (move) => {
      for (const { after_ms } of eachMoment) {
        const steps: readonly Step[] = [
          { move, after_ms: 0 },
          { move: 'delete channel', after_ms },
        ]
        expect(await wrongAfter(steps)).toStrictEqual([])
      }
    },
  )
})

const named = <Name extends MoveName>(of: Readonly<Record<Name, unknown>>) => Object.keys(of) as Name[]
const steps = (names: readonly MoveName[], minLength: number, maxLength: number) =>
  fc.array(fc.record({ move: fc.constantFrom(...names), after_ms: fc.nat(6) }), { minLength, maxLength })

describe('a channel that was hidden and is shown again', () => {
  it('may have messages in threads that a session has not joined, as after a new READY', async () => {
    const round = await newRound(arena)
    try {
      for (const move of ['hide channel', 'let into channel', 'write in thread as owner'] as const)
        expect((await round.move(move)).status).toBeLessThan(300)
      expect(await round.differences()).toStrictEqual([])
    } finally {
      round.end()
    }
  })
})

describe('any deletion while something is created below it', () => {
  it('leaves every session in agreement with a new READY and with HTTP', async () => {
    const played = fc.tuple(steps(named(endings), 1, 3), steps(named(makings), 2, 8))
    await fc.assert(
      fc.asyncProperty(played, async ([ends, makes]) => {
        expect(await wrongAfter([...ends, ...makes])).toStrictEqual([])
      }),
      // A failure need not happen again with the same moves, so there is no search for fewer moves.
      { numRuns: runs, endOnFailure: true },
    )
  })
})

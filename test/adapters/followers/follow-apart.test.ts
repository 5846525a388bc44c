import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followAlone, tries_max, type Follower } from '../../../adapters/followers/follow-alone.ts'
import { electorOn } from '../../../application/concurrency/elector.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { followed, happens, openFollowerScene, type FollowerScene } from './support.ts'

let at: FollowerScene
beforeEach(async () => {
  at = await openFollowerScene()
})
afterEach(() => at.close())

const idOf = ({ data }: RecordedEvent): string => String(Reflect.get(data, 'accountId'))

/** Follows with two keys: of odd and of even ids. */
function follow(handle: (id: string) => Promise<void>): Follower {
  const follower = followAlone({
    name: 'test',
    elector: electorOn(at.locks.pool),
    store: at.store,
    isMeant: () => true,
    handle: (event) => handle(idOf(event)),
    keyOf: (event) => (Number(idOf(event)) % 2 === 0 ? 'even' : 'odd'),
    onError: (error) => at.errors.push(error),
    standby_ms: 50,
  })
  at.followers.push(follower)
  return follower
}

describe('a follower that tells events apart', () => {
  /** Appends events that arrive together, and follows them. */
  async function followApart(handle: (id: string) => Promise<void>): Promise<readonly string[]> {
    const first = follow(async () => undefined)
    await followed(at)
    await first.stop()
    const ids = []
    for (let number = 0; number < 6; number += 1) ids.push(await happens(at, String(number)))
    follow(handle)
    return ids
  }
  const alike = (ids: readonly string[], one: string | undefined): readonly string[] =>
    ids.filter((id) => Number(id) % 2 === Number(one) % 2)
  const noted = async (): Promise<bigint> => {
    const { rows } = await at.test.database.pool.query<{ position: string }>(
      'select position from followers.checkpoints',
    )
    return BigInt(rows[0]?.position ?? -1)
  }

  it('handles those of one key in order, and does not have those of another wait for them', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const first: string[] = []
    const ids = await followApart(async (id) => {
      first.push(id)
      if (id === first[0]) await held
      at.handled.push(id)
    })
    await expect.poll(() => at.handled).toStrictEqual(alike(ids, ids[1]))
    release()
    await expect.poll(() => at.handled).toStrictEqual([...alike(ids, ids[1]), ...alike(ids, ids[0])])
    expect(at.errors).toStrictEqual([])
  })

  it('gets all of them again, one after another, if two fail, and skips those two alone in the end', async () => {
    const poison: string[] = []
    const ids = await followApart(async (id) => {
      poison.push(id)
      if (id === poison[0] || id === poison[1]) throw new Error('not yet')
      at.handled.push(id)
    })
    const end = await at.store.end()
    await expect.poll(noted).toBe(end)
    expect(at.errors).toHaveLength(2 * tries_max)
    expect(at.handled.slice(-4)).toStrictEqual(ids.slice(2))
  })
})

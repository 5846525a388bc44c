import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followAlone, tries_max, type Follower } from '../../../adapters/followers/follow-alone.js'
import { sharedConnection } from '../../../adapters/followers/shared-connection.js'
import { metadataOf } from '../../../application/commands/command-context.js'
import { noStream, type RecordedEvent } from '../../../application/ports/event-store.js'
import { streamName } from '../../../domain/streams.js'
import { testContext } from '../../support/test-context.js'
import { openFollowerScene, type FollowerScene } from './support.js'

let test: FollowerScene['test']
let locks: FollowerScene['locks']
let store: FollowerScene['store']
let handled: FollowerScene['handled']
let errors: FollowerScene['errors']
let followers: FollowerScene['followers']
let close: FollowerScene['close']

beforeEach(async () => {
  ;({ test, locks, store, handled, errors, followers, close } = await openFollowerScene())
})
afterEach(() => close())

const idOf = ({ data }: RecordedEvent): string => String(Reflect.get(data, 'accountId'))

/** Follows with two keys: of odd and of even ids. */
function follow(handle: (id: string) => Promise<void>): Follower {
  return followAlone({
    name: 'test',
    connection: sharedConnection(locks.pool),
    store,
    isMeant: () => true,
    handle: (event) => handle(idOf(event)),
    keyOf: (event) => (Number(idOf(event)) % 2 === 0 ? 'even' : 'odd'),
    onError: (error) => errors.push(error),
    standby_ms: 50,
  })
}

/** Appends the first event of a new stream. */
async function happens(id: string): Promise<string> {
  const stream = streamName('membership', `1-${id}`)
  const data = { guildId: '1', accountId: id }
  const metadata = metadataOf(testContext(), stream, 'test', 0)
  await store.append(stream, noStream, [{ type: 'MemberLeft', data, metadata }])
  return id
}

describe('a follower that tells events apart', () => {
  /** Appends events that arrive together, and follows them. */
  async function followApart(handle: (id: string) => Promise<void>): Promise<readonly string[]> {
    const first = follow(async () => undefined)
    const known = async () => (await test.database.pool.query('select from followers.checkpoints')).rows.length
    await expect.poll(known).toBe(1)
    await first.stop()
    const ids = []
    for (let number = 0; number < 6; number += 1) ids.push(await happens(String(number)))
    followers.push(follow(handle))
    return ids
  }
  const alike = (ids: readonly string[], one: string | undefined): readonly string[] =>
    ids.filter((id) => Number(id) % 2 === Number(one) % 2)
  const noted = async (): Promise<bigint> => {
    const { rows } = await test.database.pool.query<{ position: string }>('select position from followers.checkpoints')
    return BigInt(rows[0]?.position ?? -1)
  }

  it('handles those of one key in order, and does not have those of another wait for them', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const first: string[] = []
    const ids = await followApart(async (id) => {
      first.push(id)
      if (id === first[0]) await held
      handled.push(id)
    })
    await expect.poll(() => handled).toStrictEqual(alike(ids, ids[1]))
    release()
    await expect.poll(() => handled).toStrictEqual([...alike(ids, ids[1]), ...alike(ids, ids[0])])
    expect(errors).toStrictEqual([])
  })

  it('gets all of them again, one after another, if two fail, and skips those two alone in the end', async () => {
    const poison: string[] = []
    const ids = await followApart(async (id) => {
      poison.push(id)
      if (id === poison[0] || id === poison[1]) throw new Error('not yet')
      handled.push(id)
    })
    const end = await store.end()
    await expect.poll(noted).toBe(end)
    expect(errors).toHaveLength(2 * tries_max)
    expect(handled.slice(-4)).toStrictEqual(ids.slice(2))
  })
})

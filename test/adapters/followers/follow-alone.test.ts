import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followAlone, tries_max, type Follower } from '../../../adapters/followers/follow-alone.ts'
import { electorOn, type Elector } from '../../../application/concurrency/elector.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { followed as isFollowed, happens as appended, openFollowerScene, type FollowerScene } from './support.ts'

let test: FollowerScene['test']
let locks: FollowerScene['locks']
let store: FollowerScene['store']
let handled: FollowerScene['handled']
let errors: FollowerScene['errors']
let followers: FollowerScene['followers']
let close: FollowerScene['close']
let count = 0

beforeEach(async () => {
  ;({ test, locks, store, handled, errors, followers, close } = await openFollowerScene())
})
afterEach(() => close())

const happens = (type?: 'MemberLeft' | 'HandleClaimed') => appended({ store }, String((count += 1)), type)
const followed = (name?: string) => isFollowed({ test }, name)

/** What one process follows with. */
const newProcess = (): Elector<PoolClient> => electorOn(locks.pool)

async function follow(
  handle = async (id: string): Promise<void> => void handled.push(id),
  name = 'test',
  elector = newProcess(),
): Promise<Follower> {
  const follower = followAlone({
    name,
    elector,
    store,
    isMeant: ({ type }) => type === 'MemberLeft',
    handle: ({ data }: RecordedEvent) => handle(String(Reflect.get(data, 'accountId'))),
    onError: (error) => errors.push(error),
    standby_ms: 50,
  })
  followers.push(follower)
  return follower
}

describe('a follower', () => {
  it('begins at the end of the store if nobody ever followed, and gets its events in order', async () => {
    await happens()
    await follow()
    await followed()
    const ids = [await happens(), await happens(), await happens()]
    await happens('HandleClaimed')
    await expect.poll(() => handled).toStrictEqual(ids)
    expect(errors).toStrictEqual([])
  })

  it('continues from the last one under its name', async () => {
    const first = await follow()
    await followed()
    const before = await happens()
    await expect.poll(() => handled).toStrictEqual([before])
    await first.stop()
    const meanwhile = await happens()
    await follow()
    await expect.poll(() => handled).toStrictEqual([before, meanwhile])
  })

  it('is one of several under one name, and another takes over when it ends', async () => {
    const seen: string[] = []
    const first = await follow(async () => void seen.push('first'))
    await followed()
    await follow(async () => void seen.push('second'))
    await happens()
    await happens()
    await expect.poll(() => seen).toStrictEqual(['first', 'first'])
    await first.stop()
    await happens()
    await expect.poll(() => seen).toStrictEqual(['first', 'first', 'second'])
  })

  it('gets again what it could not handle, and skips it in the end', async () => {
    let failures = 0
    await follow(async (id) => {
      if (id === poison) {
        failures += 1
        throw new Error('not yet')
      }
      handled.push(id)
    })
    await followed()
    const poison = await happens()
    const next = await happens()
    await expect.poll(() => handled).toStrictEqual([next])
    expect(failures).toBe(tries_max)
    expect(errors).toHaveLength(tries_max)
  })

  it('skips each of two that it can not handle, though they came together', async () => {
    const first = await follow()
    await followed()
    await first.stop()
    const [one, other, next] = [await happens(), await happens(), await happens()]
    await follow(async (id) => {
      if (id === one || id === other) throw new Error('not yet')
      handled.push(id)
    })
    await expect.poll(() => handled).toStrictEqual([next])
    expect(errors).toHaveLength(2 * tries_max)
  })

  it('skips nothing if the fault is that something is unavailable', async () => {
    let outages = 0
    await follow(async (id) => {
      if (outages <= tries_max) {
        outages += 1
        throw new ReadModelsBehind('not there yet')
      }
      handled.push(id)
    })
    await followed()
    const id = await happens()
    await expect.poll(() => handled).toStrictEqual([id])
    expect(errors).toHaveLength(tries_max + 1)
  })

  it('does not depend on one under another name', async () => {
    await follow(async (id) => void handled.push(`one ${id}`), 'one')
    await follow(async (id) => void handled.push(`two ${id}`), 'two')
    await followed('one')
    await followed('two')
    const id = await happens()
    await expect.poll(() => handled.toSorted()).toStrictEqual([`one ${id}`, `two ${id}`])
  })
})

describe('the followers of one process', () => {
  /** The connections that hold locks of followers, one entry for each lock. */
  async function holders(): Promise<readonly number[]> {
    const { rows } = await test.database.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted and classid = 1195919951
         and database = (select oid from pg_database where datname = current_database()) order by pid`,
    )
    return rows.map(({ pid }) => pid)
  }
  const distinct = async (): Promise<number> => new Set(await holders()).size

  async function followBoth(elector: Elector<PoolClient>): Promise<readonly Follower[]> {
    const both = []
    for (const name of ['one', 'two'])
      both.push(await follow(async (id) => void handled.push(`${name} ${id}`), name, elector))
    await expect.poll(async () => (await holders()).length).toBe(2)
    for (const name of ['one', 'two']) await followed(name)
    return both
  }

  it('hold their locks on one connection, until the last of them stops', async () => {
    const [one, two] = await followBoth(newProcess())
    expect(await distinct()).toBe(1)
    await one?.stop()
    await expect.poll(async () => (await holders()).length).toBe(1)
    const id = await happens()
    await expect.poll(() => handled).toStrictEqual([`two ${id}`])
    await two?.stop()
    await expect.poll(holders).toStrictEqual([])
  })

  it('go on with a new connection, all of them, when theirs is lost', async () => {
    await followBoth(newProcess())
    const [before] = await holders()
    await test.database.pool.query('select pg_terminate_backend($1)', [before])
    const id = await happens()
    await expect.poll(() => handled.toSorted()).toStrictEqual([`one ${id}`, `two ${id}`])
    await expect.poll(async () => (await holders()).length).toBe(2)
    expect(await distinct()).toBe(1)
    expect(await holders()).not.toContain(before)
  })

  it('leave their locks to another process when their connection is lost while the process hangs', async () => {
    const hung = newProcess()
    let release = (): void => undefined
    const hangs = new Promise<void>((resolve) => (release = resolve))
    await follow(() => hangs, 'one', hung)
    await followed('one')
    const [before] = await holders()
    const id = await happens()
    await follow(async (each) => void handled.push(`other ${each}`), 'one')
    await test.database.pool.query('select pg_terminate_backend($1)', [before])
    await expect.poll(() => handled).toStrictEqual([`other ${id}`])
    const { rows } = await test.database.pool.query('select position from followers.checkpoints')
    release()
    // What the first one has handled late moves no checkpoint: it sends that on the connection which is gone.
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect((await test.database.pool.query('select position from followers.checkpoints')).rows).toStrictEqual(rows)
  })

  it('let go only of the lock of the one that fails', async () => {
    const elector = newProcess()
    let fails = true
    await follow(
      async (id) => {
        if (fails) throw new ReadModelsBehind('not in this process')
        handled.push(`here ${id}`)
      },
      'one',
      elector,
    )
    await follow(async (id) => void handled.push(`two ${id}`), 'two', elector)
    await followed('one')
    await followed('two')
    const [here] = await holders()
    await follow(async (id) => void handled.push(`there ${id}`), 'one')
    const id = await happens()
    await expect.poll(() => handled.toSorted()).toStrictEqual([`there ${id}`, `two ${id}`])
    expect(await distinct()).toBe(2)
    expect(await holders()).toContain(here)
    fails = false
  })

  it('are never two under one name, though Postgres gives a connection the same lock twice', async () => {
    const elector = newProcess()
    const first = await follow(async (id) => void handled.push(`first ${id}`), 'one', elector)
    await followed('one')
    await follow(async (id) => void handled.push(`second ${id}`), 'one', elector)
    const id = await happens()
    await expect.poll(() => handled).toStrictEqual([`first ${id}`])
    await first.stop()
    const next = await happens()
    await expect.poll(() => handled).toStrictEqual([`first ${id}`, `second ${next}`])
  })
})

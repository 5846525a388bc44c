import { beforeEach, describe, expect, it } from 'vitest'
import {
  askers_ms,
  betweenSnapshots_ms,
  firstSnapshots_ms_max,
  firstWords_ms,
  heartbeat_ms,
  lag_ms,
  nobodyThere_ms,
  silence_ms_max,
  tick_ms,
  unanswered_ms,
} from '../../../application/presence/presence-bounds.ts'
import type { PresenceDirectory } from '../../../application/presence/presence-directory.ts'
import { account, guild, openInstance, type Instance } from './support/instance.ts'

let instance: Instance
beforeEach(() => {
  instance = openInstance()
})

/** The result of a promise so far; undefined while it waits. */
function watched<Value>(promise: Promise<Value>): { readonly value: Value | undefined; readonly isSettled: boolean } {
  const watch: { value: Value | undefined; isSettled: boolean } = { value: undefined, isSettled: false }
  void promise.then((value) => Object.assign(watch, { value, isSettled: true }))
  return watch
}

async function isPresent(directory: PresenceDirectory, number: number): Promise<boolean | undefined> {
  const answer = watched(directory.isPresent(account(number)))
  await instance.advance(lag_ms)
  return answer.value
}

const saidOf = (type: string) => instance.said.filter((payload) => payload['type'] === type)

describe('a directory', () => {
  it('knows who is present and how many are online, at any Gateway', async () => {
    const directory = instance.directory()
    const [one, other] = [instance.gateway(1), instance.gateway(2)]
    one.put(account(1), [guild(1), guild(2)])
    other.put(account(2), [guild(1)])
    other.put(account(3), [])
    await instance.advance(2 * tick_ms)
    expect(await directory.onlineCounts([guild(1), guild(2), guild(3)])).toStrictEqual(
      new Map([
        [guild(1), 2],
        [guild(2), 1],
        [guild(3), 0],
      ]),
    )
    expect([await isPresent(directory, 1), await isPresent(directory, 3), await isPresent(directory, 4)]).toStrictEqual(
      [true, true, false],
    )
    one.remove(account(1))
    await instance.advance(2 * tick_ms)
    expect(directory.onlineCount(guild(1))).toBe(1)
    expect(await isPresent(directory, 1)).toBe(false)
    expect(instance.errors).toStrictEqual([])
  })

  it('that starts later gets from every Gateway what it missed', async () => {
    const [one, other] = [instance.gateway(1), instance.gateway(2)]
    for (let number = 0; number < 1500; number += 1) one.put(account(number), [guild(number), guild(9999)])
    other.put(account(5000), [guild(9999)])
    await instance.advance(heartbeat_ms)
    const directory = instance.directory()
    await instance.advance(firstWords_ms)
    expect(directory.gateways).toBe(2)
    expect(directory.onlineCount(guild(9999))).toBe(1501)
    expect(directory.onlineCount(guild(1499))).toBe(1)
    expect(await isPresent(directory, 1499)).toBe(true)
  })

  it('checks again before it says that an account is not present', async () => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    const [here, nowhere] = [watched(directory.isPresent(account(1))), watched(directory.isPresent(account(2)))]
    gateway.put(account(1), [])
    await instance.advance(lag_ms - tick_ms)
    expect([here.value, nowhere.value]).toStrictEqual([true, undefined])
    await instance.advance(tick_ms)
    expect(nowhere.value).toBe(false)
  })

  it('that is stopped answers those who wait, and hears nothing more', async () => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    const waiting = directory.isPresent(account(1))
    directory.stop()
    expect(await waiting).toBe(false)
    expect(await directory.isPresent(account(1))).toBe(false)
    await directory.ready
    gateway.put(account(1), [guild(1)])
    await instance.advance(heartbeat_ms)
    expect(directory.gateways).toBe(0)
  })
})

describe('a directory is ready', () => {
  it('when nobody has answered for long enough', async () => {
    const ready = watched(instance.directory().ready)
    await instance.advance(nobodyThere_ms - tick_ms)
    expect(ready.isSettled).toBe(false)
    await instance.advance(tick_ms)
    expect(ready.isSettled).toBe(true)
  })

  it('when it has the snapshots of all present Gateways, and not before', async () => {
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(heartbeat_ms)
    instance.isLost = ({ type }) => type === 'snapshot'
    const directory = instance.directory()
    const ready = watched(directory.ready)
    await instance.advance(nobodyThere_ms + tick_ms)
    expect(ready.isSettled).toBe(false)
    instance.isLost = () => false
    await instance.advance(2 * unanswered_ms)
    expect(ready.isSettled).toBe(true)
    expect(directory.onlineCount(guild(1))).toBe(1)
  })

  it('in any case after a while', async () => {
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(heartbeat_ms)
    instance.isLost = ({ type }) => type === 'snapshot'
    const ready = watched(instance.directory().ready)
    await instance.advance(firstSnapshots_ms_max)
    expect(ready.isSettled).toBe(true)
  })
})

describe('a Gateway', () => {
  it('that died is forgotten in time and not sooner, with its accounts', async () => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(heartbeat_ms)
    gateway.crash()
    await instance.advance(silence_ms_max - heartbeat_ms)
    expect(directory.onlineCount(guild(1))).toBe(1)
    await instance.advance(heartbeat_ms)
    expect([directory.gateways, directory.onlineCount(guild(1))]).toStrictEqual([0, 0])
  })

  it('that has nothing to say is not forgotten', async () => {
    const directory = instance.directory()
    instance.gateway(1).put(account(1), [guild(1)])
    await instance.advance(5 * silence_ms_max)
    expect([directory.gateways, directory.onlineCount(guild(1))]).toStrictEqual([1, 1])
  })

  it('that says goodbye is forgotten at once, says it once, and sends nothing more', async () => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(2 * tick_ms)
    gateway.exchange.leave()
    gateway.exchange.leave()
    await instance.advance(tick_ms)
    expect([directory.gateways, directory.onlineCount(guild(1))]).toStrictEqual([0, 0])
    gateway.put(account(2), [guild(1)])
    await instance.advance(heartbeat_ms)
    expect(directory.gateways).toBe(0)
    expect(saidOf('goodbye')).toHaveLength(1)
  })

  it('sends nothing if nothing has changed, and counts only as they are at the tick', async () => {
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(tick_ms)
    expect(saidOf('change')).toHaveLength(1)
    gateway.remove(account(1))
    gateway.put(account(1), [guild(1)])
    await instance.advance(tick_ms)
    expect(saidOf('change')).toHaveLength(1)
  })

  it('answers a hundred requests at once with one snapshot', async () => {
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(heartbeat_ms)
    const directories = Array.from({ length: 100 }, () => instance.directory())
    await instance.advance(2 * heartbeat_ms)
    expect(saidOf('snapshot')).toHaveLength(1)
    expect(directories.map((directory) => directory.onlineCount(guild(1)))).toStrictEqual(Array(100).fill(1))
  })

  it('answers requests during a snapshot with another one, at most one a second', async () => {
    const gateway = instance.gateway(1)
    for (let number = 0; number < 4000; number += 1) gateway.put(account(number), [guild(number)])
    await instance.advance(heartbeat_ms)
    const directories = []
    for (let turn = 0; turn < 25; turn += 1) {
      directories.push(instance.directory())
      await instance.advance(tick_ms)
    }
    await instance.advance(2 * heartbeat_ms)
    for (const directory of directories) expect(directory.onlineCount(guild(7))).toBe(1)
    const rounds = saidOf('snapshot').filter(({ isFirst }) => isFirst === true).length
    expect(rounds).toBeLessThanOrEqual(1 + (25 * tick_ms + 2 * heartbeat_ms) / betweenSnapshots_ms)
    expect(rounds).toBeGreaterThan(1)
  })
})

describe('a lost signal', () => {
  it.each([0, 1])('is noticed and repaired with %d more to come', async (more) => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    gateway.put(account(1), [guild(1)])
    await instance.advance(betweenSnapshots_ms)
    instance.isLost = ({ type }) => type === 'change'
    gateway.remove(account(1))
    gateway.put(account(2), [guild(2)])
    await instance.advance(tick_ms)
    instance.isLost = () => false
    if (more > 0) gateway.put(account(3), [guild(3)])
    expect(directory.onlineCount(guild(1))).toBe(1)
    await instance.advance((more > 0 ? 2 * tick_ms : heartbeat_ms) + askers_ms + unanswered_ms)
    expect([1, 2, 3].map((number) => directory.onlineCount(guild(number)))).toStrictEqual([0, 1, more])
    expect(await isPresent(directory, 1)).toBe(false)
  })

  it('of a snapshot leads to another, with what changed meanwhile', async () => {
    const gateway = instance.gateway(1)
    for (let number = 0; number < 5000; number += 1) gateway.put(account(number), [guild(number)])
    await instance.advance(heartbeat_ms)
    let snapshots = 0
    instance.isLost = ({ type }) => type === 'snapshot' && ++snapshots === 3
    const directory = instance.directory()
    await instance.advance(askers_ms + 2 * tick_ms)
    gateway.remove(account(1))
    gateway.put(account(7000), [guild(7000)])
    await instance.advance(heartbeat_ms + 2 * unanswered_ms)
    const counts = [0, 1, 2, 4999, 7000].map((number) => directory.onlineCount(guild(number)))
    expect(counts).toStrictEqual([1, 0, 1, 1, 1])
  })

  it('that is only late does no harm', async () => {
    const directory = instance.directory()
    const gateway = instance.gateway(1)
    instance.isLost = ({ type }) => type === 'change'
    gateway.put(account(1), [guild(1)])
    await instance.advance(tick_ms)
    const [late] = saidOf('change')
    instance.isLost = () => false
    gateway.remove(account(1))
    await instance.advance(tick_ms)
    await instance.advance(heartbeat_ms + 2 * unanswered_ms)
    instance.publish(late ?? {})
    await instance.advance(tick_ms)
    expect(late).toMatchObject({ counts: [[guild(1), 1]] })
    expect(directory.onlineCount(guild(1))).toBe(0)
    expect(await isPresent(directory, 1)).toBe(false)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/** What a process keeps for the replays of all its sessions (rules/gateway#resume). */

let stage: Stage
let ada: Account
let bob: Account
let home: Place
beforeEach(async () => {
  stage = await openStage({ limits: { replays_bytes_max: 16 * 1024 } })
  ada = stage.account()
  bob = stage.account()
  home = stage.found(ada)
})
afterEach(() => stage.end())

const kept = (): number => stage.gateway.stats().replays_bytes

describe('what all sessions keep for replays', () => {
  it('counts a dispatch to many of them once, and nothing that is acknowledged or of a session that ended', async () => {
    const one = await stage.identify(ada)
    await stage.heard(home, one)
    const ofOne = kept()
    const others = [await stage.identify(ada), await stage.identify(ada), await stage.identify(ada)]
    one.send(1, one.sequence)
    await one.op(11)
    expect(kept()).toBeLessThan(ofOne * 3)
    const before = kept()
    await stage.heard(home, one, ...others)
    expect(kept() - before).toBeLessThan(ofOne * 2)
    for (const client of [one, ...others]) {
      client.send(1, client.sequence)
      await client.op(11)
    }
    expect(kept()).toBe(0)
    await stage.heard(home, one)
    stage.happen({ type: 'SessionEnded', data: { accountId: ada.id, tokenHash: ada.tokenHash } })
    for (const client of [one, ...others]) await client.op(9)
    expect(kept()).toBe(0)
  })

  it('is given up beyond the bound by those whose clients have acknowledged nothing for longest', async () => {
    const other = stage.found(bob)
    const [quiet, busy] = [await stage.identify(ada), await stage.identify(bob)]
    await stage.heard(home, quiet)
    const missed = quiet.sequence
    quiet.socket.terminate()
    await stage.stats(({ connections }) => connections === 1)
    stage.mark(home)
    for (let count = 0; stage.gateway.stats().lostReplays === 0; count += 1) {
      expect(count).toBeLessThan(100)
      await stage.heard(other, busy)
      busy.send(1, busy.sequence - 1)
      await busy.op(11)
      stage.mark(home)
      expect(kept()).toBeLessThan(16 * 1024 + 4096)
    }
    const lost = await stage.resume(ada, quiet.sessionId, missed)
    expect(await lost.op(9)).toStrictEqual({ op: 9, d: false })
    const before = busy.sequence - 1
    const back = await stage.resume(bob, busy.sessionId, before)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ s }) => s)).toStrictEqual([before + 1, before + 1])
  })

  it('leaves a session that gave it up everything that comes later', async () => {
    const client = await stage.identify(ada)
    while (stage.gateway.stats().lostReplays === 0) await stage.heard(home, client)
    await stage.heard(home, client)
    const at = client.sequence
    client.socket.terminate()
    await stage.stats(({ connections }) => connections === 0)
    stage.mark(home)
    const back = await stage.resume(ada, client.sessionId, at)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ t, s }) => [t, s])).toStrictEqual([
      ['GUILD_UPDATE', at + 1],
      ['RESUMED', at + 1],
    ])
  })
})

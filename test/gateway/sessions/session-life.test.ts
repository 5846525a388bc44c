import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { identifyOf, joined, left } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
})
afterEach(async () => {
  await stage.end()
})

const ended = ({ id, tokenHash }: Account) => ({ type: 'SessionEnded', data: { accountId: id, tokenHash } })

describe('a revoked token', () => {
  it('ends its sessions with op 9; the socket stays, and closes 4000 when no Identify follows', async () => {
    const client = await stage.identify(ada)
    stage.happen(ended(ada))
    expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    expect(stage.gateway.stats()).toMatchObject({ sessions: 0, connections: 1 })
    client.send(1, null)
    await client.op(11)
    stage.clock.advance(5000)
    expect(await client.closed).toStrictEqual({ code: 4000, reason: 'Session unavailable' })
  })

  it('leaves a socket that may identify again, and can do nothing else', async () => {
    const client = await stage.identify(ada)
    stage.happen(ended(ada))
    await client.op(9)
    const renewed = stage.models.register(ada.id)
    client.send(2, identifyOf({ token: renewed }))
    await client.dispatch('READY')
    stage.clock.advance(6000)
    await stage.heard(home, client)
    const other = await stage.identify(ada)
    stage.happen(ended(ada))
    await other.op(9)
    other.send(3, { status: 'idle' })
    expect(await other.closed).toStrictEqual({ code: 4003, reason: 'Not authenticated' })
  })

  it('cannot be used for a Resume', async () => {
    const client = await stage.identify(ada)
    client.socket.terminate()
    stage.happen(ended(ada))
    const back = await stage.resume(ada, client.sessionId, 1)
    await back.op(9)
  })

  it('starts no session that was being started, whenever the read models learn of it', async () => {
    const snapshot = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    await snapshot.asked
    stage.happen(ended(ada))
    snapshot.answer()
    expect(await client.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  })

  it('leaves the account’s other sessions alone', async () => {
    const phone = { ...ada, token: `gld_${'p'.repeat(36)}` }
    stage.models.tokens.set(phone.token, ada.id)
    const [one, other] = [await stage.identify(ada), await stage.identify(phone)]
    stage.happen(ended(ada))
    await one.op(9)
    await stage.heard(home, other)
  })
})

describe('a drain', () => {
  it('sends every client elsewhere with op 7 and 4000, and accepts nobody', async () => {
    const [one, other] = [await stage.identify(ada), await stage.greet()]
    const drained = stage.gateway.drain()
    for (const client of [one, other]) {
      await client.op(7)
      expect(await client.closed).toStrictEqual({
        code: 4000,
        reason: 'Session drain requested; reconnect to continue',
      })
    }
    await drained
    expect(stage.gateway.stats()).toMatchObject({ connections: 0, sessions: 1 })
    const late = new Client(stage.url())
    expect(await late.closed).toMatchObject({ code: 1006 })
  })

  it('does not wait for a client that is slow to leave', async () => {
    const client = await stage.identify(ada)
    client.socket.pause()
    const drained = stage.gateway.drain()
    stage.clock.advance(5000)
    await drained
    await stage.stats(({ connections }) => connections === 0)
  })
})

describe('presence', () => {
  it('counts accounts, not sessions, and only those that are online', async () => {
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id))
    await stage.identify(ada)
    await stage.identify(ada)
    const hidden = await stage.identify(grace, { presence: { status: 'invisible' } })
    const { presence } = stage.gateway
    const count = async () => (await presence.onlineCounts([home.id])).get(home.id)
    expect(await count()).toBe(1)
    expect(await presence.isPresent(grace.id)).toBe(true)
    expect(await presence.isPresent(stage.account().id)).toBe(false)
    for (const [status, online] of [
      ['dnd', 2],
      ['offline', 1],
      ['', 2],
      [null, 1],
      [7, 2],
    ] as const) {
      hidden.send(3, { status })
      hidden.send(1, null)
      await hidden.op(11)
      expect(await count()).toBe(online)
    }
  })

  it('ends in a guild for a member who leaves, and everywhere for an account that is signed out', async () => {
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id))
    await stage.identify(grace)
    const client = await stage.identify(ada)
    const { presence } = stage.gateway
    const count = async () => (await presence.onlineCounts([home.id])).get(home.id)
    expect(await count()).toBe(2)
    stage.happen(left(home.id, grace.id))
    await stage.heard(home, client)
    expect(await count()).toBe(1)
    expect(await presence.isPresent(grace.id)).toBe(true)
    stage.happen(ended(ada), ended(grace))
    await client.op(9)
    await stage.handled()
    expect(await count()).toBe(0)
    expect(await presence.isPresent(grace.id)).toBe(false)
  })

  it.each([[{}], [{ status: 'busy' }], [5], [null]])('update %j is closed 4002', async (d) => {
    const client = await stage.identify(ada)
    client.send(3, d)
    expect(await client.closed).toStrictEqual({ code: 4002, reason: 'Invalid presence payload' })
  })

  it('updates beyond 5 in 20 seconds are dropped', async () => {
    const client = await stage.identify(ada)
    const count = async () => (await stage.gateway.presence.onlineCounts([home.id])).get(home.id)
    for (let turn = 0; turn < 5; turn += 1) client.send(3, { status: 'invisible' })
    client.send(3, { status: 'online' })
    client.send(1, null)
    await client.op(11)
    expect(await count()).toBe(0)
    stage.clock.advance(20_000)
    client.send(3, { status: 'online' })
    client.send(1, null)
    await client.op(11)
    expect(await count()).toBe(1)
  })
})

describe('an account', () => {
  it('has a limited number of sessions, including those that wait to be resumed', async () => {
    await stage.end()
    stage = await openStage({ limits: { sessionsPerAccount_max: 2 } })
    const grace = stage.account()
    await stage.identify(grace)
    const dropped = await stage.identify(grace)
    dropped.socket.terminate()
    const third = await stage.greet()
    third.send(2, identifyOf(grace))
    expect(await third.closed).toStrictEqual({ code: 4008, reason: 'Too many sessions' })
    await stage.stats(({ connections }) => connections === 1)
    stage.clock.advance(30_000)
    await stage.identify(stage.account())
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { joined, rolesChanged } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
beforeEach(async () => {
  await set()
})
afterEach(async () => {
  await stage.end()
})

async function set(options: Parameters<typeof openStage>[0] = {}): Promise<void> {
  stage = await openStage(options)
  ada = stage.account()
  home = stage.found(ada)
}

/** Ends a client's connection, and waits until the Gateway knows. */
async function drop(client: Client): Promise<void> {
  const { connections } = stage.gateway.stats()
  client.socket.terminate()
  await client.closed
  await stage.stats((now) => now.connections < connections)
}

const invalid = { code: 4007, reason: 'Invalid sequence' }

describe('a Resume', () => {
  it('replays every missed dispatch, in order, with the original numbers, and then RESUMED', async () => {
    const watching = await stage.identify(ada)
    const dropping = await stage.identify(ada)
    await stage.heard(home, watching, dropping)
    const { sessionId, sequence } = dropping
    dropping.socket.terminate()
    await dropping.closed
    for (let count = 0; count < 5; count += 1) stage.happen(joined(home.id, stage.account().id))
    stage.role(home)
    await stage.heard(home, watching)
    const back = await stage.resume(ada, sessionId, sequence)
    await back.dispatch('RESUMED')
    const missed = watching.dispatches.filter(({ s = 0 }) => s > sequence)
    expect(missed).toHaveLength(8)
    expect(back.dispatches).toStrictEqual([...missed, { op: 0, t: 'RESUMED', s: watching.sequence, d: {} }])
  })

  it('is answered with only RESUMED if nothing was missed, and the session goes on', async () => {
    const client = await stage.identify(ada)
    await drop(client)
    const back = await stage.resume(ada, client.sessionId, 1)
    expect(await back.dispatch('RESUMED')).toStrictEqual({ op: 0, t: 'RESUMED', s: 1, d: {} })
    stage.role(home)
    expect(await back.dispatch('GUILD_ROLE_CREATE')).toMatchObject({ s: 2 })
  })

  it.each([
    ['that is no object', 5],
    ['without a session', { token: 'gld_x', seq: 1 }],
    ['without a token', { session_id: 'x', seq: 1 }],
    ['whose seq is no integer', { token: 'gld_x', session_id: 'x', seq: '1' }],
  ])('%s is closed 4002', async (_, d) => {
    const client = await stage.greet()
    client.send(6, d)
    expect(await client.closed).toStrictEqual({ code: 4002, reason: 'Invalid resume payload' })
  })

  it('without d is closed 4001', async () => {
    const client = await stage.greet()
    client.send(6)
    expect(await client.closed).toStrictEqual({ code: 4001, reason: 'Unknown opcode' })
  })

  it('of an unknown session is answered with op 9, and the socket may identify', async () => {
    const client = await stage.resume(ada, 'a'.repeat(32), 1)
    expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    client.send(2, { token: ada.token, properties: { os: '', browser: '', device: '' } })
    await client.dispatch('READY')
    stage.clock.advance(10_000)
    await stage.heard(home, client)
  })

  it('with another token is closed 4004, and leaves the session alone', async () => {
    const client = await stage.identify(ada)
    const thief = await stage.resume(stage.account(), client.sessionId, 1)
    expect(await thief.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
    await stage.heard(home, client)
  })

  it('with a sequence that was never reached is closed 4007, and so is one that was acknowledged', async () => {
    const client = await stage.identify(ada)
    await stage.heard(home, client)
    client.send(1, 2)
    await client.op(11)
    await drop(client)
    expect(await (await stage.resume(ada, client.sessionId, 3)).closed).toStrictEqual(invalid)
    expect(await (await stage.resume(ada, client.sessionId, 1)).closed).toStrictEqual(invalid)
    await (await stage.resume(ada, client.sessionId, 2)).dispatch('RESUMED')
  })

  it('with a negative sequence is closed 4000', async () => {
    const client = await stage.identify(ada)
    const back = await stage.resume(ada, client.sessionId, -1)
    expect(await back.closed).toStrictEqual({ code: 4000, reason: 'Session unavailable' })
  })

  it('from before the evicted dispatches is answered with op 9', async () => {
    await stage.end()
    await set({ limits: { replayEntries_max: 3 } })
    const client = await stage.identify(ada)
    for (let count = 0; count < 4; count += 1) await stage.heard(home, client)
    await drop(client)
    const late = await stage.resume(ada, client.sessionId, 1)
    expect(await late.op(9)).toStrictEqual({ op: 9, d: false })
    const back = await stage.resume(ada, client.sessionId, 2)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ s }) => s)).toStrictEqual([3, 4, 5, 5])
  })

  it('from before a dispatch that was too large to keep is answered with op 9, never with a gap', async () => {
    await stage.end()
    await set({ limits: { replayEntry_bytes_max: 1000 } })
    const client = await stage.identify(ada)
    const settings = { contentWarningText: 'x'.repeat(1000) }
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings } })
    await client.dispatch('GUILD_UPDATE')
    await drop(client)
    await (await stage.resume(ada, client.sessionId, 1)).op(9)
    await (await stage.resume(ada, client.sessionId, 2)).dispatch('RESUMED')
  })

  it('takes the session over from the socket that still has it', async () => {
    const old = await stage.identify(ada)
    const now = await stage.resume(ada, old.sessionId, 1)
    await now.dispatch('RESUMED')
    await old.op(7)
    expect(await old.closed).toStrictEqual({
      code: 4000,
      reason: 'Session drain requested; reconnect to continue',
    })
    await stage.heard(home, now)
  })

  it('on a socket with another session leaves that one to be resumed elsewhere', async () => {
    const [one, other] = [await stage.identify(ada), await stage.identify(ada)]
    const { sessionId } = one
    await drop(other)
    one.send(6, { token: ada.token, session_id: other.sessionId, seq: 1 })
    await one.dispatch('RESUMED')
    await (await stage.resume(ada, sessionId, 1)).dispatch('RESUMED')
    await stage.heard(home, one)
  })

  it('replays what could be read when it happened, even if it no longer can', async () => {
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id))
    const auditor = stage.role(home, 'VIEW_AUDIT_LOG')
    stage.happen(rolesChanged(home.id, grace.id, auditor))
    const client = await stage.identify(grace)
    await drop(client)
    const made = (): void => stage.happen({ type: 'InviteCreated', data: stage.invite(home, ada) })
    made()
    stage.happen(rolesChanged(home.id, grace.id))
    made()
    const back = await stage.resume(grace, client.sessionId, 1)
    await back.dispatch('RESUMED')
    await stage.heard(home, back)
    expect(back.dispatches.map(({ t }) => t)).toStrictEqual([
      'GUILD_AUDIT_LOG_ENTRY_CREATE',
      'GUILD_MEMBER_UPDATE',
      'RESUMED',
      'GUILD_UPDATE',
    ])
  })

  it('allows another sync of a guild whose sync was missed', async () => {
    const client = await stage.identify(ada)
    const ask = (asking: Client): void => asking.send(14, { subscriptions: { [home.id]: { sync: true } } })
    ask(client)
    await client.dispatch('GUILD_SYNC')
    await drop(client)
    const back = await stage.resume(ada, client.sessionId, 1)
    await back.dispatch('RESUMED')
    ask(back)
    expect(await back.dispatch('GUILD_SYNC')).toMatchObject({ s: 3 })
  })
})

describe('a session without a connection', () => {
  it('is kept for 60 seconds, for any close code', async () => {
    const client = await stage.identify(ada)
    client.close(1000)
    await client.closed
    await stage.stats(({ connections }) => connections === 0)
    stage.clock.advance(59_750)
    await drop(await stage.resume(ada, client.sessionId, 1))
    stage.clock.advance(60_000)
    expect(stage.gateway.stats()).toMatchObject({ sessions: 0 })
    await (await stage.resume(ada, client.sessionId, 1)).op(9)
  })

  it('is offline after 5 seconds, and online again once it is resumed', async () => {
    const client = await stage.identify(ada)
    await drop(client)
    const { presence } = stage.gateway
    const online = async () => [await presence.isPresent(ada.id), (await presence.onlineCounts([home.id])).get(home.id)]
    stage.clock.advance(4750)
    expect(await online()).toStrictEqual([true, 1])
    stage.clock.advance(250)
    expect(await online()).toStrictEqual([false, 0])
    await (await stage.resume(ada, client.sessionId, 1)).dispatch('RESUMED')
    expect(await online()).toStrictEqual([true, 1])
  })
})

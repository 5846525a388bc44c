import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Gateway } from '../../client/gateway.ts'
import type { Command } from '../../client/protocol.ts'
import { openStage, type Account, type Place, type Stage, type StageOptions } from '../gateway/support/stage.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { reading, type Reading } from './support/reading.ts'

let stage: Stage
let proxy: TcpProxy
let ada: Account
let home: Place
const readings: Reading[] = []

async function set(options: StageOptions = {}): Promise<void> {
  stage = await openStage(options)
  proxy = await startTcpProxy({ target: stage.port })
  ada = stage.account()
  home = stage.found(ada)
}

/** Reads the dispatches of an account, by way of the proxy. */
function read(token = ada.token, more: object = {}): Reading {
  const one = reading({ gatewayUrl: `ws://127.0.0.1:${proxy.port}/gateway`, token, ...more })
  readings.push(one)
  return one
}

beforeEach(() => set())
afterEach(async () => {
  for (const { gateway, ended } of readings.splice(0)) {
    gateway.close()
    await ended
  }
  await proxy.close()
  await stage.end()
})

describe('the Gateway of the client', () => {
  it('identifies, with `Bot` before the token or without it, and gives each dispatch by its name', async () => {
    const { hears } = read(`Bot ${ada.token}`)
    expect((await hears('READY')).d.user.id).toBe(ada.id)
    const role = stage.role(home)
    const { s, d } = await hears('GUILD_ROLE_CREATE')
    expect({ s, guild: d.guild_id, role: d.role.id }).toStrictEqual({ s: 2, guild: home.id, role })
  })

  it('resumes after a cut: everything that happened meanwhile comes once, in order, and READY comes no second time', async () => {
    const { hears, dispatches, interruptions } = read()
    await hears('READY')
    for (let round = 1; round <= 3; round += 1) {
      proxy.refuse()
      await stage.stats(({ connections }) => connections === 0)
      for (let count = 0; count < 5; count += 1) stage.role(home)
      proxy.goOn()
      await hears('RESUMED', round)
    }
    stage.role(home)
    await hears('GUILD_ROLE_CREATE', 16)
    const told = dispatches.filter(({ t }) => t !== 'RESUMED')
    expect(told.map(({ s }) => s)).toStrictEqual(told.map((_, index) => index + 1))
    expect(new Set(told.flatMap((one) => (one.t === 'GUILD_ROLE_CREATE' ? [one.d.role.id] : []))).size).toBe(16)
    expect(told.filter(({ t }) => t === 'READY')).toHaveLength(1)
    expect(interruptions.every(({ isResumed, code }) => isResumed && code === 1006)).toBe(true)
  })

  it('begins anew after op 9, on the same connection, and says that something was missed', async () => {
    await proxy.close()
    await stage.end()
    await set({ limits: { replayEntries_max: 3 } })
    const { hears, interruptions } = read()
    await hears('READY')
    proxy.refuse()
    await stage.stats(({ connections }) => connections === 0)
    for (let count = 0; count < 5; count += 1) stage.role(home)
    proxy.goOn()
    const { s, d } = await hears('READY', 2)
    expect(s).toBe(1)
    expect(d.guilds).toMatchObject([{ id: home.id, roles: { length: 6 } }])
    expect(interruptions.at(-1)).toMatchObject({ isResumed: false, reason: 'The session cannot be resumed' })
    expect(proxy.connections).toBe(1)
  })

  it('follows op 7: it leaves at once, and resumes', async () => {
    const { hears, interruptions } = read()
    const ready = await hears('READY')
    const other = await stage.resume(ada, ready.d.session_id, ready.s)
    await other.dispatch('RESUMED')
    await hears('RESUMED')
    await other.op(7)
    const role = stage.role(home)
    expect((await hears('GUILD_ROLE_CREATE')).d.role.id).toBe(role)
    expect(interruptions).toMatchObject([{ code: 4000, isResumed: true }])
  })

  it('sends commands while there is a session', async () => {
    const { hears, gateway } = read()
    const asked: Command = { op: 15, d: { guild_ids: [home.id], nonce: 'first' } }
    expect(gateway.send(asked)).toBe(false)
    await hears('READY')
    expect(gateway.send(asked)).toBe(true)
    expect((await hears('GUILD_COUNTS_UPDATE')).d).toMatchObject({ nonce: 'first', counts: [{ guild_id: home.id }] })
  })

  it.each([
    ['a token of nobody', { token: 'gld_nobody' }, 4004, 'Invalid token'],
    ['a shard that is none', { identify: identifyAs({ shard: [1, 1] }) }, 4010, 'Invalid shard'],
    ['a body that is none', { identify: identifyAs({ flags: -1 }) }, 4002, 'Invalid identify payload'],
  ])('ends with an error for %s, and tries no second time', async (_, more, code, reason) => {
    const { ended, interruptions } = read(ada.token, more)
    const error = new Error(`The Gateway closed the connection with ${code} ${reason}`)
    expect(await ended).toMatchObject({ name: 'GatewayError', code, message: error.message })
    expect(interruptions).toStrictEqual([])
  })

  it('ends with an error once its token is revoked', async () => {
    const { hears, ended, interruptions } = read()
    await hears('READY')
    stage.happen({ type: 'SessionEnded', data: { accountId: ada.id, tokenHash: ada.tokenHash } })
    expect(await ended).toMatchObject({ name: 'GatewayError', code: 4004 })
    expect(interruptions.length).toBeLessThanOrEqual(1)
  })

  it('leaves the connection, and ends without an error, when it is closed or its loop is left', async () => {
    const { hears, gateway, ended } = read()
    await hears('READY')
    gateway.close()
    expect(await ended).toBeUndefined()
    await stage.stats(({ connections }) => connections === 0)
    const left = new Gateway({ gatewayUrl: stage.url('').replace('?', ''), token: ada.token })
    for await (const { t } of left) if (t === 'READY') break
    await stage.stats(({ connections }) => connections === 0)
    expect(left.send({ op: 14, d: { subscriptions: {} } })).toBe(false)
  })
})

/** An Identify with something that the types let through. */
function identifyAs(more: object) {
  return { properties: { os: 'test', browser: 'test', device: 'test' }, ...more }
}

import { beforeEach, describe, expect, it } from 'vitest'
import { gateways_max, tick_ms } from '../../../application/presence/presence-bounds.ts'
import { account, gatewayId, guild, openInstance, type Instance } from './support/instance.ts'

let instance: Instance
beforeEach(() => {
  instance = openInstance()
})

describe('an invalid signal', () => {
  const heartbeat = { type: 'heartbeat', gateway: gatewayId(1), seq: 1 }
  const change = { type: 'change', gateway: gatewayId(1), seq: 1, counted: [], present: [], gone: [], counts: [] }

  it.each([
    [{}],
    [{ type: 'news' }],
    [{ ...heartbeat, gateway: 'me' }],
    [{ ...heartbeat, gateway: 'A'.repeat(32) }],
    [{ ...heartbeat, seq: -1 }],
    [{ ...change, counted: ['-1'] }],
    [{ ...change, counted: ['9223372036854775808'] }],
    [{ ...change, present: [5] }],
    [{ ...change, counts: [['1', -1]] }],
    [{ ...change, counts: [['1', 0.5]] }],
    [{ ...change, gone: Array(401).fill('1') }],
    [{ ...change, sessions: [['1', [['me', 'online', false, false]]]] }],
    [{ ...change, sessions: [['1', [['0'.repeat(32), 'offline', false, false]]]] }],
    [{ ...change, sessions: [['1', [['0'.repeat(32), 'online', 0, false]]]] }],
    [{ ...change, sessions: [['-1', []]] }],
    [{ ...change, sessions: [['1', Array(101).fill(['0'.repeat(32), 'online', false, false])]] }],
    [{ ...change, sayings: [['1', 'me', 'AAAA']] }],
    [{ ...change, sayings: [['1', '0'.repeat(32), 'not base64!']] }],
    [{ ...change, sayings: [['1', '0'.repeat(32), 'A'.repeat(8196)]] }],
    [{ type: 'ask', gateways: Array(gateways_max + 1).fill(gatewayId(1)) }],
  ])('(%#) is reported and dropped', async (payload) => {
    const directory = instance.directory()
    instance.publish(payload)
    await instance.advance(tick_ms)
    expect(instance.errors).toHaveLength(1)
    expect(directory.gateways).toBe(0)
  })

  it('but one of a version without sessions is understood', async () => {
    const { exchange } = instance.gateway(2)
    instance.publish({ ...change, counted: ['1001'] })
    await instance.advance(tick_ms)
    expect(await exchange.isPresentElsewhere(account(1))).toBe(true)
    expect(exchange.sessionsElsewhere(account(1))).toStrictEqual([])
    expect(instance.errors).toStrictEqual([])
  })

  it('but one with more members than this version knows is understood', async () => {
    const directory = instance.directory()
    instance.publish({ ...change, counted: ['1001'], counts: [['2001', 1]], mood: 'good' })
    await instance.advance(tick_ms)
    expect([directory.gateways, directory.onlineCount(guild(1))]).toStrictEqual([1, 1])
    expect(instance.errors).toStrictEqual([])
  })
})

describe('memory', () => {
  it('is kept for a limited number of Gateways; more are reported once', async () => {
    const directory = instance.directory()
    for (let number = 0; number < gateways_max + 10; number += 1) {
      instance.publish({ type: 'heartbeat', gateway: gatewayId(number), seq: 0 })
    }
    await instance.advance(tick_ms)
    expect(directory.gateways).toBe(gateways_max)
    expect(instance.errors.map(String)).toStrictEqual([
      'Error: There are more than 256 Gateways; presence at the others is not known',
    ])
  })
})

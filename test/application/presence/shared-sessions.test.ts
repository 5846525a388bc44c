import { beforeEach, describe, expect, it } from 'vitest'
import { firstWords_ms, heartbeat_ms, silence_ms_max, tick_ms } from '../../../application/presence/presence-bounds.ts'
import { account, guild, openInstance, session, type FakeGateway, type Instance } from './support/instance.ts'

let instance: Instance
let one: FakeGateway
let other: FakeGateway
beforeEach(async () => {
  instance = openInstance()
  ;[one, other] = [instance.gateway(1), instance.gateway(2)]
  // They have exchanged requests at their start.
  await instance.advance(heartbeat_ms)
})

/** Enough for a change here to be known there. */
const known_ms = 2 * tick_ms
/** Enough for the next heartbeat to reveal a lost signal, and for its repetition. */
const repaired_ms = heartbeat_ms + 2000

const ada = account(1)
const elsewhere = () => other.exchange.sessionsElsewhere(ada)

describe('the sessions of an account', () => {
  it('are known at other Gateways with their presence, visible or not', async () => {
    const idle = { ...session(2, 'idle'), afk: true, mobile: true }
    one.put(ada, [guild(1)], [session(1), idle])
    one.put(account(2), [], [session(3, 'invisible')])
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual([session(1), idle])
    expect(other.exchange.sessionsElsewhere(account(2))).toStrictEqual([session(3, 'invisible')])
    expect(one.exchange.sessionsElsewhere(ada)).toStrictEqual([])
  })

  it('are known with the custom status of the one that speaks for all, which nobody can read on the way', async () => {
    const says = (text: string) => ({ customStatus: { text, expiresAt: null, emojiId: null, emojiName: null } })
    const saying = { ...session(2, 'dnd'), ...says('at the dentist') }
    one.put(ada, [guild(1)], [{ ...session(1), ...says('elsewhere') }, saying])
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual([session(1), saying])
    const late = instance.gateway(3)
    await instance.advance(repaired_ms)
    expect(late.exchange.sessionsElsewhere(ada)).toStrictEqual([session(1), saying])
    expect(JSON.stringify(instance.said)).not.toContain('dentist')
    one.put(ada, [guild(1)], [session(1), { ...session(2, 'dnd'), customStatus: null }])
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual([session(1), { ...session(2, 'dnd'), customStatus: null }])
    expect(instance.errors).toStrictEqual([])
  })

  it('are known without it if it was sealed for another session, which is reported', async () => {
    const customStatus = { text: 'busy', expiresAt: null, emojiId: null, emojiName: null }
    one.put(ada, [guild(1)], [{ ...session(5), customStatus }])
    await instance.advance(known_ms)
    const said = instance.said.findLast(({ type }) => type === 'change') ?? {}
    const moved = JSON.stringify(said).replaceAll(session(5).id, session(7).id)
    instance.publish({ ...(JSON.parse(moved) as object), seq: Number(said['seq']) + 1 })
    await instance.advance(tick_ms)
    expect(elsewhere()).toStrictEqual([session(7)])
    expect(instance.errors).toHaveLength(1)
  })

  it.each([
    ['one comes', [session(1), session(2)]],
    ['one goes', []],
    ['one is seen differently', [session(1, 'dnd')]],
  ])('are sent again when %s, and nothing else has changed', async (_case, after) => {
    const guilds = [guild(1)]
    one.put(ada, guilds, [session(1)])
    await instance.advance(known_ms)
    other.toldOf.length = 0
    one.put(ada, guilds, after)
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual(after)
    expect(other.toldOf).toStrictEqual([ada])
  })

  it('are sent once, however often the account is checked', async () => {
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(known_ms)
    const changes = () => instance.said.filter(({ type }) => type === 'change').length
    const before = changes()
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(known_ms)
    expect(changes()).toBe(before)
  })

  it('of several Gateways are known together', async () => {
    const third = instance.gateway(3)
    one.put(ada, [], [session(1)])
    third.put(ada, [], [session(3)])
    other.put(ada, [], [session(2)])
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual([session(1), session(3)])
    expect(third.exchange.sessionsElsewhere(ada)).toStrictEqual([session(1), session(2)])
  })

  it('are known to a Gateway that starts later', async () => {
    one.put(ada, [guild(1)], [session(1), session(2)])
    await instance.advance(heartbeat_ms)
    const late = instance.gateway(3)
    await instance.advance(firstWords_ms)
    await late.exchange.ready
    expect(late.exchange.sessionsElsewhere(ada)).toStrictEqual([session(1), session(2)])
  })

  it('that were not heard of are requested, and sent then', async () => {
    await instance.advance(known_ms)
    instance.isLost = ({ type }) => type === 'change'
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(known_ms)
    instance.isLost = () => false
    expect(elsewhere()).toStrictEqual([])
    await instance.advance(repaired_ms)
    expect(elsewhere()).toStrictEqual([session(1)])
    expect(other.toldOf).toContain(ada)
  })

  it('at a Gateway that died are forgotten once it is silent for too long, and not before', async () => {
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(heartbeat_ms)
    one.crash()
    other.toldOf.length = 0
    await instance.advance(silence_ms_max - heartbeat_ms - known_ms)
    expect(elsewhere()).toStrictEqual([session(1)])
    await instance.advance(heartbeat_ms + 2 * known_ms)
    expect(elsewhere()).toStrictEqual([])
    expect(other.toldOf).toStrictEqual([ada])
  })

  it('at a Gateway that leaves are forgotten at once', async () => {
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(known_ms)
    one.exchange.leave()
    await instance.advance(known_ms)
    expect(elsewhere()).toStrictEqual([])
  })

  it('are not kept by a process without a Gateway', async () => {
    const directory = instance.directory()
    one.put(ada, [guild(1)], [session(1)])
    await instance.advance(known_ms)
    expect(await directory.isPresent(ada)).toBe(true)
    expect(directory.sessionsOf(ada)).toStrictEqual([])
  })
})

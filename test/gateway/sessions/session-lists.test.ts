import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PresentSession } from '../../../application/ports/presence.ts'
import { presenceGrace_ms } from '../../../gateway/limits.ts'
import { tick_ms } from '../../../gateway/ticker.ts'
import type { Client } from '../support/client.ts'
import { identifyOf } from '../support/facts.ts'
import { fakeExchange, type FakeExchange } from '../support/fake-exchange.ts'
import { openStage, type Account, type Stage } from '../support/stage.ts'

const presenceUpdate = 3

let stage: Stage
let ada: Account
let exchange: FakeExchange
beforeEach(async () => {
  exchange = fakeExchange()
  stage = await openStage({ presenceExchange: exchange })
  ada = stage.account()
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const there = (id: string, status: PresentSession['status'] = 'online'): PresentSession => ({
  id: id.repeat(32),
  status,
  afk: false,
  mobile: false,
})
const seen = (session_id: string, status = 'online') => ({ session_id, status, afk: false, mobile: false })
const listsOf = ({ dispatches }: Client) => dispatches.filter(({ t }) => t === 'SESSIONS_REPLACE').map(({ d }) => d)
const readyOf = ({ dispatches }: Client) => dispatches.find(({ t }) => t === 'READY')?.d['sessions']

/** Sends everybody what has changed, and waits until they hear it. */
async function told(...clients: readonly Client[]): Promise<void> {
  stage.clock.advance(tick_ms)
  for (const client of clients) {
    client.send(1, null)
    await client.op(11)
  }
}

describe('SESSIONS_REPLACE', () => {
  it('is sent to the account’s other sessions, as a bare array, when one comes; the new one has the list in its READY', async () => {
    const first = await stage.identify(ada)
    const second = await stage.identify(ada, { presence: { status: 'dnd' } })
    await told(first, second)
    const list = [seen('all', 'dnd'), seen(first.sessionId), seen(second.sessionId, 'dnd')]
    expect(listsOf(first)).toStrictEqual([list])
    expect(readyOf(second)).toStrictEqual(list)
    expect(listsOf(second)).toStrictEqual([])
  })

  it('is sent to all of them when one changes its state, but not if it stays the same', async () => {
    const first = await stage.identify(ada)
    const second = await stage.identify(ada)
    await told(first, second)
    const before = listsOf(first).length
    second.send(presenceUpdate, { status: 'idle', afk: true })
    await told(second)
    await told(first, second)
    const idle = { ...seen(second.sessionId, 'idle'), afk: true }
    const list = [seen('all'), seen(first.sessionId), idle]
    expect(listsOf(first).slice(before)).toStrictEqual([list])
    expect(listsOf(second)).toStrictEqual([list])
    second.send(presenceUpdate, { status: 'idle', afk: true })
    await told(second)
    await told(first, second)
    expect(listsOf(second)).toHaveLength(1)
  })

  it('is sent to the others when one was disconnected for longer than the grace period, and when it is back', async () => {
    const first = await stage.identify(ada)
    const second = await stage.identify(ada)
    await told(first, second)
    second.close()
    await second.closed
    await stage.stats(({ connections }) => connections === 1)
    await told(first)
    expect(listsOf(first)).toHaveLength(1)
    stage.clock.advance(presenceGrace_ms)
    await told(first)
    expect(listsOf(first).at(-1)).toStrictEqual([seen('all'), seen(first.sessionId)])
    const back = await stage.resume(ada, second.sessionId, second.sequence)
    await back.dispatch('RESUMED')
    await told(first, back)
    expect(listsOf(first).at(-1)).toStrictEqual([seen('all'), seen(first.sessionId), seen(second.sessionId)])
    // While it was away nothing changed that it did not know.
    expect(listsOf(back)).toStrictEqual([])
  })

  it('lists the others to a session that comes back', async () => {
    const first = await stage.identify(ada)
    await told(first)
    first.close()
    await first.closed
    await stage.stats(({ connections }) => connections === 0)
    stage.clock.advance(presenceGrace_ms)
    const second = await stage.identify(ada)
    const back = await stage.resume(ada, first.sessionId, first.sequence)
    await back.dispatch('RESUMED')
    await told(second, back)
    const list = [seen('all'), seen(first.sessionId), seen(second.sessionId)]
    expect(listsOf(back)).toStrictEqual([list])
    expect(listsOf(second)).toStrictEqual([list])
  })

  it('is one dispatch for all changes within a tick', async () => {
    const first = await stage.identify(ada)
    const [second, third] = [await stage.identify(ada), await stage.identify(ada)]
    await told(first, second, third)
    expect(listsOf(first)).toStrictEqual([
      [seen('all'), seen(first.sessionId), seen(second.sessionId), seen(third.sessionId)],
    ])
  })

  it('is not sent to a lone session, other accounts, sessions that ignore it, or shards other than the first', async () => {
    const grace = stage.account()
    const clients = [
      await stage.identify(grace),
      await stage.identify(ada, { ignored_events: ['sessions_replace'] }),
      await stage.identify(ada, { shard: [1, 2] }),
      await stage.identify(ada, { shard: [0, 2] }),
    ]
    const last = await stage.identify(ada)
    await told(...clients, last)
    expect(clients.map((client) => listsOf(client).length)).toStrictEqual([0, 0, 0, 1])
  })

  it('is replayed to a session that resumes', async () => {
    const first = await stage.identify(ada)
    const { sessionId, sequence } = first
    await stage.identify(ada)
    await told(first)
    const back = await stage.resume(ada, sessionId, sequence)
    await back.dispatch('RESUMED')
    expect(listsOf(back)).toStrictEqual(listsOf(first))
    expect(listsOf(back)).toHaveLength(1)
  })
})

describe('sessions at other Gateways', () => {
  it('are in READY after those here, and come first if they rank higher', async () => {
    exchange.tell(ada.id, [there('a', 'dnd'), there('b', 'invisible')])
    const client = await stage.identify(ada)
    expect(readyOf(client)).toStrictEqual([
      seen('all', 'dnd'),
      seen(client.sessionId),
      seen('a'.repeat(32), 'dnd'),
      seen('b'.repeat(32), 'invisible'),
    ])
  })

  it('are announced by SESSIONS_REPLACE when they come and go', async () => {
    const client = await stage.identify(ada)
    exchange.tell(ada.id, [there('a')])
    await told(client)
    exchange.tell(ada.id, [])
    await told(client)
    expect(listsOf(client)).toStrictEqual([
      [seen('all'), seen(client.sessionId), seen('a'.repeat(32))],
      [seen('all'), seen(client.sessionId)],
    ])
  })

  it('count towards the 100 sessions that a user account may have: 4008 Too many sessions', async () => {
    const many = Array.from({ length: 99 }, (_, number) => ({
      ...there('a'),
      id: number.toString(16).padStart(32, '0'),
    }))
    exchange.tell(ada.id, many)
    await stage.identify(ada)
    const refused = await stage.greet()
    refused.send(2, identifyOf(ada))
    expect(await refused.closed).toStrictEqual({ code: 4008, reason: 'Too many sessions' })
    exchange.tell(ada.id, many.slice(1))
    await stage.identify(ada)
  })

  it('of a bot with more than that are listed up to the limit', async () => {
    const bot = stage.account({ bot: true })
    const many = Array.from({ length: 150 }, (_, number) => ({
      ...there('a'),
      id: number.toString(16).padStart(32, '0'),
    }))
    exchange.tell(bot.id, many)
    const client = await stage.identify(bot)
    expect(readyOf(client)).toHaveLength(1 + 100)
  })
})

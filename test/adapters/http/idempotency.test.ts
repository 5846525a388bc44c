import { describe, expect, it } from 'vitest'
import type { IdempotencyRows } from '../../../adapters/http/idempotency/idempotency-rows.ts'
import { memoryIdempotencyRows } from '../../support/memory/memory-idempotency-rows.ts'
import { reject, rejectWith } from '../../../application/commands/refused.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { post, postgresRows, startKeyed, without } from './idempotency-support.ts'
import { adaToken, bobToken, codesOf, robot } from './support.ts'

const implementations: readonly (readonly [string, () => Promise<IdempotencyRows>])[] = [
  ['in memory', async () => memoryIdempotencyRows()],
  ['in Postgres', () => postgresRows()],
]

describe.each(implementations)('an Idempotency-Key, its rows kept %s,', (_, openRows) => {
  it('gives the same answer again, and runs nothing', async () => {
    const { server, runs } = await startKeyed(await openRows())
    const first = await post(server, 'k')
    const again = await post(server, 'k')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await again.text()).toBe(await first.text())
    expect(runs).toHaveLength(1)
  })
  it('is another key with somebody else', async () => {
    const { server, runs } = await startKeyed(await openRows())
    await Promise.all([
      post(server, 'k'),
      post(server, 'k', {}, bobToken),
      post(server, 'k', {}, robot),
      server.fetch('/v1/things', { method: 'POST', json: {}, headers: { 'idempotency-key': 'k' } }),
    ])
    expect(runs).toHaveLength(4)
    expect(new Set(runs.map(({ commandId }) => commandId)).size).toBe(4)
  })
  it('with another body, query or route is 409 CONFLICT', async () => {
    const { server, runs } = await startKeyed(await openRows())
    await post(server, 'k', { a: 1 })
    for (const path of ['/v1/things?x=1', '/v1/things/1/echo'])
      expect(await codesOf(await post(server, 'k', { a: 1 }, adaToken, path))).toEqual(['409 CONFLICT'])
    expect(await codesOf(await post(server, 'k', { a: 2 }))).toEqual(['409 CONFLICT'])
    expect(runs).toHaveLength(1)
  })
  it('runs once when 32 requests bring it at once', async () => {
    const { server, runs } = await startKeyed(
      await openRows(),
      async () => new Promise((resolve) => setTimeout(() => resolve({}), 30)),
    )
    const answers = await Promise.all(Array.from({ length: 32 }, () => post(server, 'k')))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(new Set(['{"run":1}']))
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(31)
    expect(runs).toHaveLength(1)
  })
  it('runs the same command again where it failed before an answer counted', async () => {
    let failing = true
    const { server, runs } = await startKeyed(await openRows(), async () =>
      failing ? Promise.reject(new Error('died')) : {},
    )
    expect((await post(server, 'k')).status).toBe(500)
    failing = false
    const again = await post(server, 'k')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect((await post(server, 'k')).headers.get('idempotent-replayed')).toBe('true')
    const [first, second] = runs
    expect(runs).toHaveLength(2)
    expect([first?.mayRepeat, second?.mayRepeat]).toEqual([false, true])
    expect(second && without(second)).toEqual(first && without(first))
  })
  it('runs the same command again where the answer could not be stored', async () => {
    const rows = await openRows()
    const failures: unknown[] = []
    const broken = { ...rows, answer: async () => Promise.reject(new Error('no disk')) }
    const { server, runs } = await startKeyed(broken, undefined, { onStoringFailure: (error) => failures.push(error) })
    expect([(await post(server, 'k')).status, (await post(server, 'k')).status]).toEqual([200, 200])
    expect(runs.map(({ commandId }) => commandId)).toEqual([runs[0]?.commandId, runs[0]?.commandId])
    expect(failures).toHaveLength(2)
  })
  it('is unused after a refusal of input', async () => {
    const { server } = await startKeyed(await openRows())
    const bad = await post(server, 'k', { count: 'x' }, adaToken, '/v1/things/1/echo')
    expect(bad.status).toBe(400)
    const good = await post(server, 'k', { count: 1 }, adaToken, '/v1/things/1/echo')
    expect([good.status, good.headers.get('idempotent-replayed')]).toEqual([200, null])
  })
  it.each([
    ['INVALID_FORM_BODY', () => reject('INVALID_FORM_BODY', field('a', 'EMAIL_ALREADY_IN_USE'))],
    ['CONFLICT', () => reject('CONFLICT')],
    ['RATE_LIMITED', () => rejectWith('RATE_LIMITED', { global: false, retry_after: 1 })],
  ])('is unused after a handler’s %s that wrote nothing', async (__, refuse) => {
    let refusing = true
    const { server, runs } = await startKeyed(await openRows(), async () => (refusing ? refuse() : {}))
    await post(server, 'k', { a: 1 })
    refusing = false
    expect((await post(server, 'k', { a: 2 })).status).toBe(200)
    expect(runs.map(({ mayRepeat }) => mayRepeat)).toEqual([false, false])
  })
  it('stays with its command after such a refusal that came too late', async () => {
    let refusing = true
    const { server, runs } = await startKeyed(await openRows(), async ({ caller }) => {
      caller.context.noteWritten(7n)
      return refusing ? reject('CONFLICT') : {}
    })
    await post(server, 'k')
    refusing = false
    expect((await post(server, 'k', { other: true })).status).toBe(409)
    expect((await post(server, 'k')).status).toBe(200)
    expect(new Set(runs.map(({ commandId }) => commandId)).size).toBe(1)
  })
  it('stays with its command where the try before this one may have written', async () => {
    let wanted: 'fail' | 'refuse' | 'succeed' = 'fail'
    const { server, runs } = await startKeyed(await openRows(), async () =>
      wanted === 'fail' ? Promise.reject(new Error('died')) : wanted === 'refuse' ? reject('CONFLICT') : {},
    )
    await post(server, 'k')
    wanted = 'refuse'
    await post(server, 'k')
    wanted = 'succeed'
    await post(server, 'k')
    expect(new Set(runs.map(({ commandId }) => commandId)).size).toBe(1)
  })
  it('keeps the refusals that are an answer', async () => {
    const { server, runs } = await startKeyed(await openRows(), async () => reject('UNKNOWN_INVITE'))
    expect(await codesOf(await post(server, 'k'))).toEqual(['404 UNKNOWN_INVITE'])
    const again = await post(server, 'k')
    expect([again.status, again.headers.get('idempotent-replayed'), runs.length]).toEqual([404, 'true', 1])
  })
  it.each(['x', 'x'.repeat(255), 'with spaces, and "more"', '~!'])('may be %j', async (key) => {
    const { server } = await startKeyed(await openRows())
    expect([(await post(server, key)).status, (await post(server, key)).status]).toEqual([200, 200])
  })
  it.each(['', 'x'.repeat(256), 'ü'])('may not be %j', async (key) => {
    const { server, runs } = await startKeyed(await openRows())
    expect((await codesOf(await post(server, key)))[1]).toMatch(/^Idempotency-Key /)
    expect(runs).toHaveLength(0)
  })
  it('is refused for as long as another request with it is at work', async () => {
    const rows = await openRows()
    let end = (): void => undefined
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const slow = await startKeyed(rows, async () => {
      begin()
      await new Promise<void>((resolve) => (end = resolve))
      return {}
    })
    const first = post(slow.server, 'k')
    await begun
    const other = await startKeyed(rows, undefined, { turnWait_ms_max: 50 })
    expect(await codesOf(await post(other.server, 'k'))).toEqual(['409 CONFLICT'])
    end()
    expect((await first).status).toBe(200)
    expect((await post(other.server, 'k')).headers.get('idempotent-replayed')).toBe('true')
    expect(other.runs).toHaveLength(0)
  })
})

describe('a request without an Idempotency-Key', () => {
  it('runs each time it comes, as a command of its own', async () => {
    const { server, runs } = await startKeyed(memoryIdempotencyRows())
    await post(server, undefined)
    await post(server, undefined)
    const [first, second] = runs
    expect(first?.commandId).not.toBe(second?.commandId)
    expect(new Set([...(first?.ids ?? []), ...(second?.ids ?? [])]).size).toBe(4)
    expect(first?.bytes).not.toEqual(second?.bytes)
  })
})

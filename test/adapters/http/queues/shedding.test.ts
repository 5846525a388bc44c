import { describe, expect, it } from 'vitest'
import { accounts, anyone } from '../../../../adapters/http/callers.ts'
import { httpBounds } from '../../../../adapters/http/server/bounds.ts'
import { queueOf } from '../../../../adapters/http/request/queues/request-queues.ts'
import { allOperations } from '../../../../adapters/http/operations/all-operations.ts'
import { act, guarded } from '../operations.ts'
import { adaToken, codesOf, startServer } from '../support.ts'

const post = { method: 'POST' } as const

/** Nobody waits for so long, nor works for so long, however busy the machine is. */
const long_ms = 600_000

/** An operation that answers once the test releases it, and counts the requests in it. */
function held() {
  let go = (): void => undefined
  const released = new Promise<void>((resolve) => (go = resolve))
  const counts = { atWork: 0 }
  const operation = act(async () => {
    counts.atWork += 1
    await released
    return { done: true }
  })
  return { operation, counts, go: () => go() }
}

describe('requests that wait too long', () => {
  it('get 503 with Retry-After, have nothing done, and keep nobody of another line waiting', async () => {
    const { operation, counts, go } = held()
    const queue = { ...httpBounds.queue, atWork_max: 2, wait_ms_max: 300, turn_ms_max: long_ms }
    const server = await startServer([operation, guarded(accounts())], { bounds: { queue } })
    const asked = Array.from({ length: 12 }, () => server.fetch('/v1/things', post))
    await expect.poll(() => counts.atWork).toBe(2)
    expect((await server.fetch('/v1/guarded', { token: adaToken })).status).toBe(200)
    expect((await server.fetch('/_health')).status).toBe(200)
    const metrics = async () => (await server.fetch('/_metrics')).text()
    await expect.poll(metrics).toContain('guildhall_http_requests_shed_total{line="arrivals"} 10')
    expect(counts.atWork).toBe(2)
    go()
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(refused).toHaveLength(10)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(Array.from(refused, () => '1'))
    expect(await codesOf(refused[0] as Response)).toEqual(['503 SERVICE_UNAVAILABLE'])
    const told = server.logged.filter(({ level }) => Number(level) >= 40)
    expect(told.map(({ msg, part, line: name }) => [msg, part, name])).toEqual([
      ['an outage begins', 'requests', 'arrivals'],
    ])
    expect((await server.fetch('/v1/things', post)).status).toBe(200)
  })

  it('are done where a turn comes in time', async () => {
    const { operation, counts, go } = held()
    const patient = { wait_ms_max: long_ms, target_ms: long_ms, interval_ms: long_ms, turn_ms_max: long_ms }
    const server = await startServer([operation], { bounds: { queue: { ...patient, atWork_max: 1 } } })
    const asked = Array.from({ length: 5 }, () => server.fetch('/v1/things', post))
    await expect.poll(() => counts.atWork).toBe(1)
    go()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('every operation waits in one line', () => {
  it('reads, then what is open to everybody, then writes', () => {
    expect(queueOf(guarded(anyone()))).toBe('reads')
    const of = (name: string) => allOperations.filter((operation) => queueOf(operation) === name)
    const names = (name: string) => of(name).map((operation) => operation.name)
    expect(names('reads')).toContain('Get guild')
    expect(names('writes')).toContain('Create channel invite')
    expect(names('arrivals')).toContain('Log in')
    expect(of('arrivals').every(({ callers, method }) => callers.kind === 'public' && method !== 'GET')).toBe(true)
  })
})

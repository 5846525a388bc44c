import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openStatusListener, type StatusListenerSettings } from '../../../adapters/status/open-status-listener.ts'
import { healthPage, readyPage, stateAge_ms_max } from '../../../adapters/status/status-pages.ts'
import type { ReadyState } from '../../../application/ports/readiness.ts'
import { afterThisTest } from '../http/support.ts'
import { standStill } from '../../support/stand-still.ts'

const program = new URL('../../../dist/adapters/status/thread.js', import.meta.url)
const well: ReadyState = { ready: true, missing: [], without: [] }
const token = 'a-token-of-the-operator'

async function opened(given: Partial<StatusListenerSettings> = {}) {
  const errors: unknown[] = []
  const listener = await openStatusListener({
    host: '127.0.0.1',
    port: 0,
    program,
    metricsToken: undefined,
    state: () => well,
    metrics: () => ({ contentType: 'text/plain; version=0.0.4', metrics: async () => 'one 1\n' }),
    onError: (error) => errors.push(error),
    ...given,
  })
  afterThisTest(() => listener.close())
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${listener.port}${path}`, init)
  return { listener, errors, ask }
}

describe('the status listener', () => {
  it('reports that the process lives before it is ready, and what it waits for', async () => {
    let state: ReadyState = { ready: false, missing: ['postgres', 'disk'], without: ['nats'] }
    const { ask } = await opened({ state: () => state })
    await expect.poll(async () => (await ask('/_ready')).json()).toEqual(state)
    expect((await ask('/_ready')).status).toBe(503)
    const health = await ask('/_health')
    expect([health.status, await health.text()]).toEqual([200, 'OK'])
    expect((await ask('/_healthz', { method: 'HEAD' })).status).toBe(200)
    state = { ...well, without: ['nats'] }
    await expect.poll(async () => (await ask('/_ready')).status).toBe(200)
    expect(await (await ask('/_ready')).json()).toEqual(state)
  })

  it('serves nothing else, and only reads', async () => {
    const { ask } = await opened()
    for (const path of ['/', '/v1/users/@me', '/docs', '/_ready/']) expect((await ask(path)).status).toBe(404)
    for (const method of ['POST', 'DELETE']) expect((await ask('/_health', { method })).status).toBe(404)
  })

  it('shows metrics, collected once a second, to a caller with METRICS_TOKEN if that is set', async () => {
    let made = 0
    const metrics = async () => `made ${(made += 1)}\n`
    const { ask } = await opened({ metricsToken: token, metrics: () => ({ contentType: 'text/plain', metrics }) })
    const shown = (authorization: string) => ask('/_metrics', { headers: { authorization } })
    for (const wrong of ['', token, `Bearer ${token}x`, `bearer ${token}`])
      expect((await shown(wrong)).status).toBe(401)
    expect((await ask('/_metrics')).status).toBe(401)
    expect(made).toBe(0)
    const answers = await Promise.all(Array.from({ length: 30 }, () => shown(`Bearer ${token}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(made).toBeLessThanOrEqual(3)
    const before = made
    await expect.poll(async () => (await shown(`Bearer ${token}`)).text()).not.toBe(`made ${before}\n`)
  })

  it('returns the metrics that it has if new ones are late or fail', async () => {
    let metrics = async (): Promise<string> => 'old 1\n'
    const { ask, errors } = await opened({
      metrics: () => ({ contentType: 'text/plain', metrics: () => metrics() }),
      metrics_ms_max: 300,
    })
    expect(await (await ask('/_metrics')).text()).toBe('old 1\n')
    metrics = () => Promise.reject(new Error('no metrics'))
    await expect.poll(async () => [await (await ask('/_metrics')).text(), errors.length > 0]).toEqual(['old 1\n', true])
    metrics = () => new Promise<never>(() => undefined)
    expect(await (await ask('/_metrics')).text()).toBe('old 1\n')
  })

  it('answers while the event loop of the process is blocked', async () => {
    const { listener } = await opened()
    const socket = connect(listener.port, '127.0.0.1')
    afterThisTest(() => socket.destroy())
    await once(socket, 'connect')
    socket.write('GET /_health HTTP/1.1\r\nHost: x\r\n\r\n')
    // Nothing of this process runs meanwhile, so everything that has arrived by then came from the thread.
    await new Promise((resolve) => setImmediate(resolve))
    standStill(2500)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
    const date = /date: (.*)/i.exec(answer.toString())?.[1]
    expect(Date.now() - Date.parse(date ?? '')).toBeGreaterThan(900)
  })

  it('is not filled by connections that ask nothing', async () => {
    const { listener, ask } = await opened()
    const sockets = Array.from({ length: 200 }, () => connect(listener.port, '127.0.0.1').on('error', () => undefined))
    afterThisTest(() => {
      for (const socket of sockets) socket.destroy()
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    expect((await ask('/_health')).status).toBe(200)
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64)
  })

  it('rejects if its port is taken, and says so', async () => {
    const { listener } = await opened()
    await expect(opened({ port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('a process that says nothing', () => {
  it('lives until it has said nothing for as long as it may, and is not ready long before', () => {
    const silent = (silent_ms: number) => ({ state: well, silent_ms })
    expect(healthPage(silent(14_999), 15_000).status).toBe(200)
    expect(healthPage(silent(15_000), 15_000).status).toBe(503)
    expect(readyPage(silent(stateAge_ms_max - 1)).status).toBe(200)
    const late = readyPage(silent(stateAge_ms_max))
    expect([late.status, JSON.parse(late.body)]).toEqual([503, { ready: false, missing: ['event loop'], without: [] }])
  })
})

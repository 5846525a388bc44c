import { Registry } from 'prom-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { openLagClock } from '../../process/observe/lag-clock.ts'
import { observeInstance } from '../../process/observe/observe-instance.ts'
import { observeMail } from '../../process/observe/observe-mail.ts'
import { productMetrics } from '../../cli/reference/metrics.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { operationLabel } from '../../adapters/http/server/http-metrics.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { metricOf } from '../support/cluster/metrics.ts'
import type { TestGuildhall } from '../support/test-guildhall.ts'

const fail = (error: unknown): never => {
  throw error
}

describe('every metric of the product', () => {
  const metrics = productMetrics()

  it('has a help text, and a name of lower case with the prefix of the product', () => {
    expect(metrics.length).toBeGreaterThan(20)
    expect(metrics.filter(({ name, help }) => !/^guildhall_[a-z_]+$/.test(name) || !help.endsWith('.'))).toEqual([])
  })

  it('ends in _total where it is a counter, and only there', () => {
    expect(metrics.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([])
  })
})

describe('the label of an operation', () => {
  it('is its name in snake case, and different for each', () => {
    const labels = allOperations.map(({ name }) => operationLabel(name))
    expect(labels.filter((label) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(label))).toEqual([])
    expect(new Set(labels).size).toBe(allOperations.length)
  })
})

describe('a running server', () => {
  let guildhall: TestGuildhall
  beforeAll(async () => {
    guildhall = await sharedGuildhall()
  })
  const page = async () => (await fetch(`${guildhall.url}/_metrics`)).text()

  it('shows every guildhall metric that it has on the reference page, with its help', async () => {
    const shown = [...(await page()).matchAll(/^# HELP (guildhall_\w+) (.*)$/gm)]
    const known = new Map(productMetrics().map(({ name, help }) => [name, help]))
    expect(shown.length).toBeGreaterThan(20)
    for (const [, name = '', help] of shown) expect([name, known.get(name)]).toEqual([name, help])
  })

  it('counts the events that it appends, and names its build, its pools, its lag and its size', async () => {
    const before = (await metricOf(guildhall, 'guildhall_events_appended_total')) ?? 0
    await guildhall.register()
    await expect
      .poll(async () => (await metricOf(guildhall, 'guildhall_events_appended_total')) ?? 0)
      .toBeGreaterThan(before)
    const text = await page()
    expect(text).toMatch(/^guildhall_events_appended_total\{category="account"\} \d+$/m)
    expect(text).toMatch(/^guildhall_build_info\{version="[^"]+",node="v\d[^"]*",roles="[a-z ]*api[a-z ]*"\} 1$/m)
    expect(text).toMatch(/^guildhall_postgres_connections\{pool="requests",state="idle"\} \d+$/m)
    expect(text).toMatch(/^guildhall_read_model_lag_seconds\{read_model="accounts"\} \d/m)
    for (const size of ['accounts', 'guilds', 'sessions'])
      expect(text).toMatch(new RegExp(`^guildhall_${size} \\d+$`, 'm'))
  })
})

describe('the lag in seconds', () => {
  it('runs from when the oldest missing event was noticed, and starts anew once it is there', () => {
    let now_ms = 0
    const clock = openLagClock(() => now_ms)
    const after = (ms: number, position: bigint, end: bigint) => {
      now_ms += ms
      return clock.lag_seconds('accounts', position as never, end as never)
    }
    expect(after(0, 5n, 5n)).toBe(0)
    expect(after(1000, 5n, 6n)).toBe(0)
    expect(after(2000, 5n, 9n)).toBe(2)
    expect(after(3000, 6n, 9n)).toBe(3)
    expect(after(1000, 9n, 9n)).toBe(0)
    expect(after(1000, 9n, 10n)).toBe(0)
    expect(clock.lag_seconds('members', 0n as never, 0n as never)).toBe(0)
  })

  it('keeps the oldest of very many ends', () => {
    let now_ms = 0
    const clock = openLagClock(() => (now_ms += 1000))
    for (let end = 1n; end <= 2000n; end += 1n) clock.lag_seconds('accounts', 0n as never, end as never)
    expect(clock.lag_seconds('accounts', 0n as never, 2001n as never)).toBe(2000)
  })
})

describe('the size of the instance', () => {
  it('is counted once a minute, and the last counts stay while Postgres is away', async () => {
    const registry = new Registry()
    let asked = 0
    observeInstance(registry, async () => ({ accounts: (asked += 1), guilds: 2, sessions: 3 }), fail)
    for (let round = 0; round < 2; round += 1) expect(await registry.metrics()).toContain('guildhall_accounts 1')
    expect(asked).toBe(1)
  })

  it('is left out while it is unknown', async () => {
    const registry = new Registry()
    observeInstance(
      registry,
      () => Promise.reject(new Error('away')),
      () => undefined,
    )
    expect(await registry.metrics()).not.toMatch(/^guildhall_accounts \d/m)
  })
})

describe('failures of mails', () => {
  it('are counted by whether the mail was given up', async () => {
    const registry = new Registry()
    const note = observeMail(registry)
    note({ parked: true })
    note({ parked: false })
    note({ parked: false })
    const text = await registry.metrics()
    expect(text).toContain('guildhall_mail_failures_total{outcome="given_up"} 1')
    expect(text).toContain('guildhall_mail_failures_total{outcome="retried"} 2')
  })
})

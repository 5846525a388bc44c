import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openMetrics } from '../../../adapters/telemetry/open-metrics.js'

/** What lies between two looks is part of the lag that they find. */
const betweenLooks_seconds_min = 0.04

describe('the metrics of a process', () => {
  it('look at the event loop twenty times a second, because each look wakes an idle process', async () => {
    const registry = openMetrics()
    // What is read begins anew.
    await registry.metrics()
    await sleep(300)
    const median = /^nodejs_eventloop_lag_p50_seconds (\S+)$/m.exec(await registry.metrics())?.[1]
    expect(Number(median)).toBeGreaterThan(betweenLooks_seconds_min)
  })
})

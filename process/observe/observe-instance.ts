import { Gauge, type Registry } from 'prom-client'
import type { InstanceCounts } from '../../projections/instance-counts.ts'
import { askedInTime } from '../asked-in-time.ts'

/** Counting reads whole tables, so it is done once in this time. */
const fresh_ms = 60_000

const gauges: Readonly<Record<keyof InstanceCounts, string>> = {
  accounts: 'Accounts of the instance that are not deleted, counted once a minute.',
  guilds: 'Guilds of the instance, counted once a minute.',
  sessions: 'Sign-ins of the instance that live, counted once a minute.',
}

/** Adds the size of the whole instance to the metrics. While it cannot be counted, the last counts stay. */
export function observeInstance(
  registry: Registry,
  count: () => Promise<InstanceCounts>,
  onError: (error: unknown) => void,
): void {
  const counted = askedInTime(count, onError)
  let last: { readonly counts: InstanceCounts; readonly at_ms: number } | undefined
  async function counts(): Promise<InstanceCounts | undefined> {
    if (last && performance.now() - last.at_ms < fresh_ms) return last.counts
    const found = await counted()
    if (found) last = { counts: found, at_ms: performance.now() }
    return last?.counts
  }
  for (const [name, help] of Object.entries(gauges)) {
    new Gauge({
      name: `guildhall_${name}`,
      help,
      registers: [registry],
      async collect() {
        const found = await counts()
        // A count that is not known is not 0.
        if (found) this.set(new Map(Object.entries(found)).get(name) ?? 0)
        else this.remove()
      },
    })
  }
}

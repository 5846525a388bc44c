import { Registry } from 'prom-client'
import { httpBounds } from '../../adapters/http/server/bounds.ts'
import { httpMetrics } from '../../adapters/http/server/http-metrics.ts'
import { requestQueues } from '../../adapters/http/request/queues/request-queues.ts'
import { storeMetrics } from '../../adapters/telemetry/observed-stores.ts'
import { stoodMetric } from '../../adapters/telemetry/watchdog.ts'
import { observeInstance } from '../../process/observe/observe-instance.ts'
import { observeJobs } from '../../process/observe/observe-jobs.ts'
import { observeMail } from '../../process/observe/observe-mail.ts'
import { observe } from '../../process/observe/observe.ts'
import { code, codes, page, table } from './markdown.ts'

/** A metric of the product, as `/_metrics` shows it. */
export interface DescribedMetric {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
}

const zero = (): number => 0
const nothing = (): void => undefined

/** Every metric of the product, in the order of names: those that the parts add to a registry. */
export function productMetrics(): readonly DescribedMetric[] {
  const registry = new Registry()
  httpMetrics(registry, { atWork: zero, open: zero, connections: zero })
  requestQueues(httpBounds.queue, registry, nothing).close()
  observe(registry, {
    build: { version: '', roles: [] },
    processes: () => [],
    store: { skippedEvents: zero, appendedEvents: () => new Map() },
    pools: {},
    outages: { current: [] },
    onError: nothing,
    gateway: {
      stats: () => ({
        connections: 0,
        compressed: 0,
        sessions: 0,
        guilds: 0,
        queuedEvents: 0,
        replays_bytes: 0,
        dispatches: 0,
        slowClients: 0,
        lostReplays: 0,
        memberLists: 0,
        listedMembers: 0,
        refusedMemberLists: 0,
        unknownNotices: 0,
      }),
    },
    projections: { isLeading: false, status: async () => [] },
  })
  observeJobs(registry, { jobCounts: async () => [] }, nothing)
  observeInstance(registry, async () => ({ accounts: 0, guilds: 0, sessions: 0 }), nothing)
  observeMail(registry)
  storeMetrics(registry)
  stoodMetric(registry)
  return registry
    .getMetricsAsArray()
    .map((metric) => ({
      name: metric.name,
      type: typeOf(metric),
      help: 'help' in metric && typeof metric.help === 'string' ? metric.help : '',
      labels: 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function typeOf(metric: object): string {
  return metric.constructor.name.toLowerCase()
}

/** The metrics at `/_metrics`. */
export function metricsPage(): string {
  return page(
    '# Metrics',
    "What `/_metrics` shows for Prometheus ([operating.md](../operating.md#health-and-metrics)), besides what every Node process has (`process_…`, `nodejs_…`). A process has the metrics of its roles: those of jobs, mail and the instance's size are a worker's, those of read models a projector's. A histogram has `_bucket`, `_sum` and `_count`. `deploy/grafana-dashboard.json` and `deploy/prometheus-rules.yml` use them.",
    table(
      ['metric', 'type', 'labels', 'meaning'],
      productMetrics().map(({ name, type, labels, help }) => [
        code(name),
        type,
        labels.length === 0 ? 'none' : codes(labels),
        help,
      ]),
    ),
  )
}

import type { Outages } from '../application/ports/outages.js'
import { askedInTime } from './asked-in-time.js'
import { Gauge, type Registry } from 'prom-client'
import type { Gateway, GatewayStats } from '../gateway/gateway.js'
import type { ProjectionRunner } from '../projections/runner/runner.js'
import type { Store } from './store.js'

interface Observed {
  readonly store: Pick<Store, 'skippedEvents'>
  readonly outages: Outages
  /** Called when a read model's status can't be read: its metrics are left out then. */
  readonly onError: (error: unknown) => void
  readonly gateway: Gateway | undefined
  readonly projections: ProjectionRunner | undefined
}

const gatewayMetrics: Readonly<Record<keyof GatewayStats, string>> = {
  connections: 'Open Gateway sockets.',
  sessions: 'Gateway sessions, those that may still be resumed among them.',
  guilds: 'Guilds that some session of this process is in.',
  queuedEvents: 'Events that the Gateway has yet to turn into dispatches.',
  dispatches: 'Dispatches since the start, counted once a session.',
  slowClients: 'Clients cut since the start because they did not read.',
}

/** Adds the metrics of this process's parts. */
export function observe(registry: Registry, { store, gateway, projections, outages, onError }: Observed): void {
  observeStore(registry, store)
  observeOutages(registry, outages)
  if (gateway) observeGateway(registry, gateway)
  if (projections) observeProjections(registry, projections, onError)
}

function observeOutages(registry: Registry, outages: Outages): void {
  new Gauge({
    name: 'guildhall_outage',
    help: 'Parts that are out right now (1 each).',
    labelNames: ['part'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { part } of outages.current) this.set({ part }, 1)
    },
  })
}

function observeStore(registry: Registry, store: Observed['store']): void {
  new Gauge({
    name: 'guildhall_skipped_events',
    help: 'Events that the event store left out for those who follow it, since the start. They were read again.',
    registers: [registry],
    collect() {
      this.set(store.skippedEvents())
    },
  })
}

function observeGateway(registry: Registry, gateway: Gateway): void {
  for (const [name, help] of Object.entries(gatewayMetrics)) {
    new Gauge({
      name: `guildhall_gateway_${snakeCase(name)}`,
      help,
      registers: [registry],
      collect() {
        this.set(valueOf(gateway.stats(), name))
      },
    })
  }
}

function observeProjections(
  registry: Registry,
  projections: ProjectionRunner,
  onError: (error: unknown) => void,
): void {
  const statuses = askedInTime(() => projections.status(), onError)
  new Gauge({
    name: 'guildhall_projector_leading',
    help: 'Whether this process projects (1) or stands by (0).',
    registers: [registry],
    collect() {
      this.set(projections.isLeading ? 1 : 0)
    },
  })
  new Gauge({
    name: 'guildhall_read_model_lag_events',
    help: 'Events that a read model lacks, at most.',
    labelNames: ['read_model'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { name, lag_events_max } of (await statuses()) ?? [])
        this.set({ read_model: name }, Number(lag_events_max))
    },
  })
  new Gauge({
    name: 'guildhall_read_model_parked_streams',
    help: 'Streams that a read model takes nothing of, because it could not take one of their events.',
    labelNames: ['read_model'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { name, parkedStreams } of (await statuses()) ?? []) this.set({ read_model: name }, parkedStreams)
    },
  })
}

function valueOf(stats: GatewayStats, name: string): number {
  return new Map(Object.entries(stats)).get(name) ?? 0
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

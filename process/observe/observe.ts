import type { RunningProcess } from '../../application/ports/readiness.ts'
import type { Outages } from '../../application/ports/outages.ts'
import { askedInTime } from '../asked-in-time.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Gateway, GatewayStats } from '../../gateway/gateway.ts'
import type { ProjectionRunner } from '../../projections/runner/runner.ts'
import type { Store } from '../store.ts'
import { openLagClock } from './lag-clock.ts'
import type { Role } from '../roles/role.ts'

/** What tells how the connections of a pool are used. */
export type ObservedPool = Readonly<Record<'totalCount' | 'idleCount' | 'waitingCount', number>>

export interface Observed {
  readonly build: { readonly version: string; readonly roles: readonly Role[] }
  /** The processes of the instance, this one among them. */
  readonly processes: () => readonly RunningProcess[]
  readonly store: Pick<Store, 'skippedEvents' | 'appendedEvents'>
  /** The pools of connections to Postgres, by name. */
  readonly pools: Readonly<Record<string, ObservedPool>>
  readonly outages: Pick<Outages, 'current'>
  /** Called when a read model's status can't be read: its metrics are left out then. */
  readonly onError: (error: unknown) => void
  readonly gateway: Pick<Gateway, 'stats'> | undefined
  readonly projections: Pick<ProjectionRunner, 'isLeading' | 'status'> | undefined
}

const gatewayGauges: Readonly<Record<Exclude<keyof GatewayStats, keyof typeof gatewayCounters>, string>> = {
  connections: 'Open Gateway sockets.',
  compressed: 'Open Gateway sockets whose payloads are compressed.',
  sessions: 'Gateway sessions, those that may still be resumed among them.',
  guilds: 'Guilds that some session of this process is in.',
  replays_bytes: 'What Gateway sessions keep so that they can be resumed.',
  queuedEvents: 'Events that the Gateway has yet to turn into dispatches.',
  memberLists: 'Lists of members that this process holds for sessions that look at them.',
  listedMembers: 'Members that this process holds for these lists, counted once a guild.',
}
const gatewayCounters = {
  dispatches: 'Dispatches since the start, counted once a session.',
  slowClients: 'Clients cut since the start because they did not read.',
  lostReplays:
    'How often a session gave up since the start what it kept to be resumed, since all of them kept too much.',
  refusedMemberLists: 'Requests for lists of members refused since the start, since there were too many.',
  unknownNotices: 'Notices of messages left out since the start: a process of a later version wrote them.',
} as const satisfies Partial<Record<keyof GatewayStats, string>>

/** Adds the metrics of this process's parts. */
export function observe(registry: Registry, observed: Observed): void {
  const { build, processes, store, pools, gateway, projections, outages, onError } = observed
  observeBuild(registry, build)
  observeProcesses(registry, processes)
  observeStore(registry, store)
  observePools(registry, pools)
  observeOutages(registry, outages)
  if (gateway) observeGateway(registry, gateway)
  if (projections) observeProjections(registry, projections, onError)
}

function observeOutages(registry: Registry, outages: Observed['outages']): void {
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

function observeBuild(registry: Registry, { version, roles }: Observed['build']): void {
  new Gauge({
    name: 'guildhall_build_info',
    help: 'The version of the program and of Node, and the roles of this process; the value is 1.',
    labelNames: ['version', 'node', 'roles'] as const,
    registers: [registry],
  }).set({ version, node: process.version, roles: roles.join(' ') }, 1)
}

function observeProcesses(registry: Registry, processes: Observed['processes']): void {
  new Gauge({
    name: 'guildhall_processes',
    help: 'Processes that serve the instance, by their roles and their version, as every process sees them.',
    labelNames: ['roles', 'version'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { roles, version } of processes()) this.inc({ roles: roles.join(' '), version })
    },
  })
}

function observeStore(registry: Registry, store: Observed['store']): void {
  new Counter({
    name: 'guildhall_events_appended_total',
    help: 'Events that this process has appended since the start, by category of their stream.',
    labelNames: ['category'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [category, count] of store.appendedEvents()) this.inc({ category }, count)
    },
  })
  counter(
    registry,
    'guildhall_skipped_events_total',
    'Events that the event store left out for those who follow it, since the start. They were read again.',
    () => store.skippedEvents(),
  )
}

function observePools(registry: Registry, pools: Observed['pools']): void {
  new Gauge({
    name: 'guildhall_postgres_connections',
    help: 'Connections to Postgres that this process holds, by pool and whether they are busy or idle.',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
      }
    },
  })
  new Gauge({
    name: 'guildhall_postgres_waiting',
    help: 'Work that waits for a connection to Postgres, by pool.',
    labelNames: ['pool'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount)
    },
  })
}

function observeGateway(registry: Registry, gateway: Pick<Gateway, 'stats'>): void {
  for (const [name, help] of Object.entries(gatewayGauges)) {
    new Gauge({
      name: `guildhall_gateway_${snakeCase(name)}`,
      help,
      registers: [registry],
      collect() {
        this.set(valueOf(gateway.stats(), name))
      },
    })
  }
  for (const [name, help] of Object.entries(gatewayCounters))
    counter(registry, `guildhall_gateway_${snakeCase(name)}_total`, help, () => valueOf(gateway.stats(), name))
}

/** A counter of what something else counts. */
function counter(registry: Registry, name: string, help: string, count: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(count())
    },
  })
}

function observeProjections(
  registry: Registry,
  projections: Pick<ProjectionRunner, 'isLeading' | 'status'>,
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
  const lagClock = openLagClock()
  new Gauge({
    name: 'guildhall_read_model_lag_seconds',
    help: 'How long ago the oldest event was noticed that a read model lacks; 0 if it lacks none.',
    labelNames: ['read_model'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { name, position, end } of (await statuses()) ?? [])
        this.set({ read_model: name }, lagClock.lag_seconds(name, position, end))
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

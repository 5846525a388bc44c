import { startSession } from '../../test/faults/commands/message-stage.ts'
import { z } from 'zod'
import type { Role } from '../../process/roles/role.ts'
import { startCluster, type Cluster } from '../../test/support/cluster/start-cluster.ts'
import { createInvite, send } from '../../test/support/load-api.ts'
import { patience_ms } from '../../test/support/pace.ts'
import type { ReadBackJob, Writing } from '../http/read-back-load.ts'
import { forkChild, type Child } from '../support/child.ts'
import { measureCores, postgresProcesses, type Roles } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { bareConnections_max, found, portOf, sampleInvite, tables, type OwnedGuild } from './http-site.ts'

const clients_count = 32
const warmUp_s = 2
const answer_ms_max = 60_000
const wishes = { max_uses: 10, max_age: 86_400 }
const message = JSON.stringify({ content: 'hello' })
const counts = { api: 2, projector: 1, gateway: 1, worker: 1 } as const

/**
 * 32 clients of a cluster of two `api`, a `projector`, a `gateway` and a `worker`, with the events in Postgres. Each sends a message or
 * creates an invite at one `api`, and reads it at the other at once; then the other way round. The baseline is two bare Fastify on
 * the same Postgres, with one statement for each request. Fails if any read does not see what was written.
 */
export async function clusterReadsLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const { api: apis, projector: projectors, gateway: gateways, worker: workers } = counts
  const cluster = await startCluster({ apis, projectors, gateways, workers, eventStore: 'postgres' })
  const closings: (() => Promise<void>)[] = [() => cluster.close()]
  try {
    return await onCluster(cluster, closings, { seconds, rounds })
  } finally {
    for (const close of closings.toReversed()) await close()
  }
}

type Length = Pick<LineSettings, 'seconds' | 'rounds'>

async function onCluster(cluster: Cluster, closings: (() => Promise<void>)[], { seconds, rounds }: Length) {
  const [one, other] = cluster.running('api')
  const [gateway] = cluster.running('gateway')
  if (!one || !other || !gateway) throw new Error('A process is missing')
  const pool = openPool(cluster.connection, 1)
  const load = forkChild(new URL('../http/read-back-load.js', import.meta.url))
  const bare = [0, 1].map(() => forkChild(new URL('../http/bare-fastify.js', import.meta.url)))
  closings.push(() => pool.end(), ...[load, ...bare].map((child) => () => child.end()))
  await pool.query(tables)
  const guilds = await found(one.url)
  const [guild] = guilds
  if (!guild) throw new Error('There is no guild')
  for (const owner of new Set(guilds.map((each) => each.owner))) await startSession(gateway.url, owner)
  await untilWriting(one.url, guild)
  const setUp = {
    connection: cluster.connection,
    connections_max: bareConnections_max,
    invite: await sampleInvite(one.url, guilds),
  }
  const [first, second] = await Promise.all(bare.map((child) => listeningAt(child, setUp)))
  if (first === undefined || second === undefined) throw new Error('A bare server is missing')
  const postgres = await postgresProcesses(pool)
  const pidsOf = (role: Role) => () => cluster.running(role).map(({ pid }) => pid)
  const own = {
    api: pidsOf('api'),
    projector: pidsOf('projector'),
    gateway: pidsOf('gateway'),
    worker: pidsOf('worker'),
  }
  const measure = (roles: Roles, ports: ReadBackJob['ports'], write: (guild: OwnedGuild) => readonly Writing[]) => {
    return (for_s = seconds) =>
      readBack(
        load,
        { ...roles, postgres, load: () => [load.pid] },
        { ports, seconds: for_s, clients: clientsOf(guilds, write) },
      )
  }
  const baseline = measure({ server: () => bare.map(({ pid }) => pid) }, [first, second], bareWritings)
  const product = measure(own, [portOf(one.url), portOf(other.url)], writings)
  await baseline(warmUp_s)
  await product(warmUp_s)
  const compared = await compare({
    line: 'written at one api, read at the other',
    unit: 'requests/s',
    rounds,
    baseline: () => baseline(),
    product: () => product(),
  })
  return { ...compared, notes: [...notesOf(compared)] }
}

/** An account can write once its first session is known to have begun. */
async function untilWriting(url: string, { textChannel, owner }: OwnedGuild): Promise<void> {
  const until = performance.now() + patience_ms
  const request = { method: 'POST', path: `/v1/channels/${textChannel}/messages`, token: owner.token } as const
  for (;;) {
    const { status, body } = await send(url, { ...request, body: { content: 'hello' }, parse: () => undefined })
    if (status === 200) return
    if (performance.now() > until) throw new Error(`Nobody can write: ${status} ${JSON.stringify(body)}`)
  }
}

const listening = z.object({ port: z.int() })

async function listeningAt(child: Child, setUp: object): Promise<number> {
  return listening.parse(await child.ask(setUp, answer_ms_max)).port
}

/** Every client has guilds of its own, and writes in them in turn. */
function clientsOf(
  guilds: readonly OwnedGuild[],
  write: (guild: OwnedGuild) => readonly Writing[],
): ReadBackJob['clients'] {
  return Array.from({ length: clients_count }, (_none, client) =>
    guilds.filter((_each, index) => index % clients_count === client).flatMap(write),
  )
}

function writings({ textChannel, owner }: OwnedGuild): readonly Writing[] {
  const { path, body } = createInvite(owner, textChannel, wishes)
  const messages = `/v1/channels/${textChannel}/messages`
  const { token } = owner
  return [
    { path: messages, token, body: message, name: 'id', readAt: `${messages}/` },
    { path, token, body: JSON.stringify(body), name: 'code', readAt: '/v1/invites/' },
  ]
}

function bareWritings({ textChannel }: OwnedGuild): readonly Writing[] {
  const path = `/posts/${textChannel}`
  return [{ path, body: message, name: 'id', readAt: `${path}/` }]
}

const latencies = z.object({ p50_ms: z.number(), p99_ms: z.number() })
const loadResult = z.object({
  count: z.int(),
  unseen: z.int(),
  perSecond: z.number(),
  all: latencies,
  writes: latencies,
  reads: latencies,
})

async function readBack(load: Child, roles: Roles, job: ReadBackJob): Promise<Sample> {
  const cores = measureCores(roles)
  const { count, unseen, perSecond, all, writes, reads } = loadResult.parse(
    await load.ask(job, job.seconds * 1000 + answer_ms_max),
  )
  const used = cores()
  if (unseen > 0) throw new Error(`${unseen} of ${count / 2} reads did not see what was written`)
  const details = {
    count,
    unseen,
    ...all,
    writes_p50_ms: writes.p50_ms,
    writes_p99_ms: writes.p99_ms,
    reads_p50_ms: reads.p50_ms,
    reads_p99_ms: reads.p99_ms,
  }
  return { rate: perSecond, cores: used, details }
}

function notesOf({ samples }: Comparison): readonly string[] {
  const last = samples.at(-1)
  const of = (side: 'product' | 'baseline', kind: '' | 'writes_' | 'reads_'): string =>
    ['p50', 'p99']
      .map((name) => `${name} ${(last?.[side].details[`${kind}${name}_ms`] ?? Number.NaN).toFixed(1)} ms`)
      .join(', ')
  const read = samples.reduce((sum, { product }) => sum + (product.details['count'] ?? 0) / 2, 0)
  const unseen = samples.reduce((sum, { product }) => sum + (product.details['unseen'] ?? 0), 0)
  return [
    `${of('product', '')} beside ${of('baseline', '')} (last round)`,
    `writes ${of('product', 'writes_')}; reads ${of('product', 'reads_')}`,
    `${unseen} of ${read} reads did not see what was written; ${clients_count} clients`,
  ]
}

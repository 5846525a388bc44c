import { createInvite } from '../../test/support/load-api.ts'
import { startCluster, type Cluster } from '../../test/support/cluster/start-cluster.ts'
import { rawEventStoreDb } from '../events/raw-eventstoredb.ts'
import { written } from '../events/writers.ts'
import { forkChild } from '../support/child.ts'
import { postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { found, loaded, portOf } from './http-site.ts'

const connections = 32
const warmUp_s = 2
const wishes = { max_uses: 10, max_age: 86_400 }
const prefix = 'bench-'

/**
 * Create channel invite over HTTP when every role is a process of its own and the events are in EventStoreDB or its double. The
 * baseline is the bare client's appends to the same server by as many writers: the difference is what a command costs beyond
 * its one append.
 */
export async function distributedCommandsLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const cluster = await startCluster({ apis: 1, gateways: 0, projectors: 1, workers: 0, eventStore: 'eventstoredb' })
  try {
    return await onCluster(cluster, { seconds, rounds })
  } finally {
    await cluster.close()
  }
}

async function onCluster(
  cluster: Cluster,
  { seconds, rounds }: Pick<LineSettings, 'seconds' | 'rounds'>,
): Promise<Comparison> {
  const [api] = cluster.running('api')
  const { eventStore } = cluster
  if (!api || !eventStore) throw new Error('The cluster has no API, or no event store')
  const guilds = await found(api.url)
  const load = forkChild(new URL('../http/http-load.js', import.meta.url))
  const pool = openPool(cluster.connection, 1)
  const raw = rawEventStoreDb(eventStore.url)
  try {
    const requests = guilds.map(({ owner, textChannel }) => {
      const { method, path, body } = createInvite(owner, textChannel, wishes)
      return { method, path, token: owner.token, body: JSON.stringify(body) }
    })
    const pidsOf = (role: 'api' | 'projector') => () => cluster.running(role).map(({ pid }) => pid)
    const roles = { api: pidsOf('api'), projector: pidsOf('projector'), [eventStore.kind]: () => eventStore.pids() }
    const measuring = { load, postgres: await postgresProcesses(pool), server: { port: portOf(api.url) }, roles }
    const product = (for_s = seconds) => loaded(measuring, { connections, seconds: for_s, requests })
    const baseline = (for_s = seconds) =>
      written({
        write: (event) => raw.append(event, prefix),
        writers: connections,
        seconds: for_s,
        server: eventStore.kind,
        pids: () => eventStore.pids(),
      })
    await baseline(warmUp_s)
    await product(warmUp_s)
    const compared = await compare({
      line: 'distributed create invite',
      unit: 'commands/s',
      rounds,
      baseline: () => baseline(),
      product: () => product(),
    })
    return { ...compared, notes: [`${connections} connections; one api and one projector, no Gateway listening`] }
  } finally {
    await load.end()
    await pool.end()
    await raw.close()
  }
}

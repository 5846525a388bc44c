import { startEventStoreDouble, type EventStoreDouble } from './double.js'
import type { Member } from './gossip-service.js'
import { DoubleLog } from './log.js'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.js'

/** Nodes that share one log, one of which leads: for the way of a client to the leader. Replication is not doubled. */
export interface ClusterDouble {
  /** The connection string, with every node. */
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  /**
   * Has another node lead; none where it is undefined: then nobody serves anything. Until then the nodes tell what they knew
   * at the election before, of those too that have stopped.
   */
  elect(node: number | undefined): void
  close(): Promise<void>
}

export type ClusterNode = Pick<EventStoreDouble, 'url' | 'faults' | 'stop' | 'start'> & {
  /**
   * Stands still as under SIGSTOP: it takes connections, and neither reads nor writes. The others say that it is alive, and
   * leads, until another one is elected. A host that is gone without a word looks the same to whoever is connected with it.
   */
  hang(): void
  goOn(): void
}

/** Starts a cluster whose first node leads. Each node is reached through a proxy of its own. */
export async function startClusterDouble(size: number): Promise<ClusterDouble> {
  const log = new DoubleLog()
  const doubles: EventStoreDouble[] = []
  const proxies: TcpProxy[] = []
  let leader: number | undefined
  let alive: readonly boolean[] = []
  const members = (): readonly Member[] =>
    doubles.map((_, index) => ({
      port: proxies[index]?.port ?? 0,
      isAlive: alive[index] ?? true,
      leads: leader === undefined ? undefined : index === leader,
    }))
  const elect = (node: number | undefined): void => {
    leader = node
    alive = doubles.map(({ isServing }) => isServing())
    for (const [index, { faults }] of doubles.entries()) {
      faults.leaderless = node === undefined
      faults.leaderPort = node === undefined || index === node ? undefined : proxies[node]?.port
    }
  }
  while (doubles.length < size) {
    const double = await startEventStoreDouble({ log, members })
    doubles.push(double)
    proxies.push(await startTcpProxy({ target: double.port }))
  }
  elect(0)
  return {
    url: `esdb://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false&discoveryInterval=20`,
    nodes: doubles.map((double, index) => nodeBehind(proxies[index], double)),
    elect,
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await Promise.all(doubles.map((double) => double.close()))
    },
  }
}

function nodeBehind(proxy: TcpProxy | undefined, { faults, stop, start }: EventStoreDouble): ClusterNode {
  if (!proxy) throw new Error('Each node has a proxy')
  return {
    url: `esdb://127.0.0.1:${proxy.port}?tls=false`,
    faults,
    stop,
    start,
    hang: () => proxy.stall(),
    goOn: () => proxy.goOn(),
  }
}

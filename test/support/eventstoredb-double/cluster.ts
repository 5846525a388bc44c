import { startEventStoreDouble, type EventStoreDouble } from './double.ts'
import type { Member } from './gossip-service.ts'
import { DoubleLog } from './log.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'

/** Nodes that share one log, one of which leads: to test how a client finds the leader. Replication is not simulated. */
export interface ClusterDouble {
  /** The connection string, with every node. */
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  /**
   * Makes another node the leader; undefined makes none, and then no node serves anything. Until an election the nodes report
   * the state of the election before, including nodes that have stopped.
   */
  elect(node: number | undefined): void
  close(): Promise<void>
}

export type ClusterNode = Pick<EventStoreDouble, 'url' | 'faults' | 'stop' | 'start'> & {
  /**
   * Hangs as under SIGSTOP: it accepts connections, but neither reads nor writes. The other nodes report it as alive and
   * leading until another node is elected. To connected clients, a host that vanished looks the same.
   */
  hang(): void
  goOn(): void
}

/** Starts a cluster whose first node leads. Each node has a proxy of its own. */
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

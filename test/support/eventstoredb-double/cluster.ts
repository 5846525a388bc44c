import { startEventStoreDouble, type EventStoreDouble } from './double.js'
import type { Member } from './gossip-service.js'
import { DoubleLog } from './log.js'

/** Nodes that share one log, one of which leads: for the way of a client to the leader. Replication is not doubled. */
export interface ClusterDouble {
  /** The connection string, with every node. */
  readonly url: string
  readonly nodes: readonly EventStoreDouble[]
  /** Has another node lead. */
  elect(node: number): void
  close(): Promise<void>
}

/** Starts a cluster whose first node leads. */
export async function startClusterDouble(size: number): Promise<ClusterDouble> {
  const log = new DoubleLog()
  const nodes: EventStoreDouble[] = []
  let leader = 0
  const members = (): readonly Member[] =>
    nodes.map(({ port, isServing }, index) => ({ port, isAlive: isServing(), leads: index === leader }))
  const elect = (node: number): void => {
    leader = node
    const leaderPort = nodes[leader]?.port
    for (const [index, { faults }] of nodes.entries()) faults.leaderPort = index === leader ? undefined : leaderPort
  }
  while (nodes.length < size) nodes.push(await startEventStoreDouble({ log, members }))
  elect(0)
  return {
    url: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false&discoveryInterval=20`,
    nodes,
    elect,
    close: async () => void (await Promise.all(nodes.map((node) => node.close()))),
  }
}

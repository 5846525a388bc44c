import { EventStoreUnavailable } from '../failures.ts'
import type { Destination } from './connection-string.ts'
import { addressesOf, distinct, textOf, type Endpoint } from './endpoints.ts'
import { askGossip } from './gossip.ts'
import { leaderBy, type GossipAnswer } from './leader.ts'

/** How long a node may take to describe its cluster. */
export const gossip_ms_max = 1000
/** How long the leading node may take to connect and answer. */
export const dial_ms_max = 2000

/** Finds the leading node, and remembers which nodes did not answer. */
export interface Search {
  /**
   * Finds a leading node that answers, within `gossip_ms_max` and `dial_ms_max` together. Asks `hint` first, and takes it if it
   * answers. Rejects with EventStoreUnavailable if there is no such node now.
   */
  find(hint: Endpoint | undefined): Promise<Endpoint>
  /** Excludes a node until it answers again, even if others say that it leads. */
  shun(node: Endpoint): void
}

/** `signal` cancels the searches under way. */
export function searchOf({ seeds, finding, security }: Destination, signal: AbortSignal): Search {
  const shunned = new Set<string>()
  /** The nodes of the cluster, as last reported. */
  let known: readonly Endpoint[] = []

  async function answers(node: Endpoint, atMost_ms: number): Promise<GossipAnswer> {
    const members = await askGossip(node, { security, atMost_ms, signal })
    shunned.delete(textOf(node))
    return { from: node, members }
  }

  /** Resolves with a node that was named as the leader once it has answered. */
  async function answering(node: Endpoint): Promise<Endpoint> {
    await answers(node, dial_ms_max).catch((error: unknown) => {
      shunned.add(textOf(node))
      throw error
    })
    return node
  }

  async function named(): Promise<readonly Endpoint[]> {
    const [first] = seeds
    if (finding !== 'dns' || !first) return seeds
    return addressesOf(first).catch((error: unknown) => {
      if (known.length > 0) return []
      throw new EventStoreUnavailable(`The name ${first.host} is not known: ${String(error)}`, { cause: error })
    })
  }

  async function leader(): Promise<Endpoint> {
    const asked = distinct([...(await named()), ...known])
    const { heard, failures } = await untilMostAgree(
      asked.map((node) => answers(node, gossip_ms_max)),
      shunned,
    )
    const members = heard.flatMap((answer) => answer.members)
    if (members.length > 0) known = distinct(members.map(({ endpoint }) => endpoint))
    const found = leaderBy(heard, shunned)?.leader
    if (found) return heard.some(({ from }) => textOf(from) === textOf(found)) ? found : answering(found)
    const silent = failures.length === 0 ? '' : `; ${failures.length} of ${asked.length} nodes gave no answer`
    throw new EventStoreUnavailable(`No node of EventStoreDB leads${silent}`, { cause: failures[0] })
  }

  return {
    async find(hint) {
      if (hint) return answering(hint)
      const [first] = seeds
      return finding === 'alone' && first ? answering(first) : leader()
    },
    shun: (node) => void shunned.add(textOf(node)),
  }
}

interface Heard {
  readonly heard: readonly GossipAnswer[]
  readonly failures: readonly unknown[]
}

/** The answers, once more than half of the asked nodes agree on a leader, or all have answered or failed. */
function untilMostAgree(asking: readonly Promise<GossipAnswer>[], shunned: ReadonlySet<string>): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: GossipAnswer[] = []
    const failures: unknown[] = []
    const look = (): void => {
      const count = leaderBy(heard, shunned)?.count ?? 0
      if (count > asking.length / 2 || heard.length + failures.length === asking.length) resolve({ heard, failures })
    }
    for (const answer of asking) {
      answer
        .then(
          (given) => heard.push(given),
          (error: unknown) => failures.push(error),
        )
        .then(look, look)
    }
    if (asking.length === 0) resolve({ heard, failures })
  })
}

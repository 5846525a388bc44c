import { textOf, type Endpoint } from './endpoints.ts'
import type { Member } from './gossip.ts'

/** The answer of one node. */
export interface GossipAnswer {
  readonly from: Endpoint
  readonly members: readonly Member[]
}

export interface Votes {
  readonly leader: Endpoint
  readonly count: number
}

/**
 * The leader according to most answers; undefined if there is none. Nodes keep naming a hanging leader for some seconds, so a
 * shunned node counts only once it has answered itself.
 */
export function leaderBy(answers: readonly GossipAnswer[], shunned: ReadonlySet<string>): Votes | undefined {
  const answered = new Set(answers.map(({ from }) => textOf(from)))
  const votes = new Map<string, Votes>()
  for (const { endpoint } of answers.flatMap(({ members }) => members.filter(({ leads }) => leads))) {
    const name = textOf(endpoint)
    if (shunned.has(name) && !answered.has(name)) continue
    votes.set(name, { leader: endpoint, count: (votes.get(name)?.count ?? 0) + 1 })
  }
  return [...votes.values()].toSorted((one, other) => other.count - one.count)[0]
}

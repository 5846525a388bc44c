import { textOf, type Endpoint } from './endpoints.js'
import type { Member } from './gossip.js'

/** What one node said. */
export interface GossipAnswer {
  readonly from: Endpoint
  readonly members: readonly Member[]
}

export interface Votes {
  readonly leader: Endpoint
  readonly count: number
}

/**
 * Who leads, by most of the answers; undefined where nobody does. Nodes tell for some seconds of a leader that hangs, so one
 * that is shunned counts only once it has answered itself.
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

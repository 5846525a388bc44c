import { describe, expect, it } from 'vitest'
import { leaderBy, type GossipAnswer } from '../../../../adapters/event-store/eventstoredb/nodes/leader.ts'

const node = (port: number) => ({ host: 'node', port })
/** The answer of one of three nodes that says which one leads. */
const says = (from: number, leader?: number): GossipAnswer => ({
  from: node(from),
  members: [1, 2, 3].map((port) => ({ endpoint: node(port), leads: port === leader })),
})
const leads = (answers: readonly GossipAnswer[], shunned: readonly string[] = []) =>
  leaderBy(answers, new Set(shunned))?.leader.port

describe('who leads', () => {
  it('is whom most nodes name, so that one that comes back from a hang and thinks it leads is not believed', () => {
    expect(leads([says(1, 1), says(2, 2), says(3, 2)])).toBe(2)
    expect(leads([says(2, 2)])).toBe(2)
  })

  it('is nobody where nobody is named', () => {
    expect(leads([])).toBeUndefined()
    expect(leads([says(1), says(2)])).toBeUndefined()
    expect(leads([{ from: node(1), members: [] }])).toBeUndefined()
  })

  it('is not one that is shunned, whoever names it, until it has answered itself', () => {
    expect(leads([says(2, 1), says(3, 1)], ['node:1'])).toBeUndefined()
    expect(leads([says(2, 1), says(3, 3)], ['node:1'])).toBe(3)
    expect(leads([says(2, 1), says(1, 1)], ['node:1'])).toBe(1)
  })
})

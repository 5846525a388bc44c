import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { ChangeInstancePolicy, FixAccountIdentity, InstanceCommand } from './commands.js'
import type { InstanceEvent } from './events.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'
import type { InstanceState } from './state.js'

/** The instance as a whole: what was changed of its policy while it ran (reference identity 8.6). There is one stream of it. */
export const instance: Decider<InstanceState, InstanceCommand, InstanceEvent> = {
  category: 'instance',
  initial: { status: 'uninhabited', changes: {} },
  decide,
  evolve,
}

function decide(state: InstanceState, command: InstanceCommand): Decision<InstanceEvent> {
  switch (command.type) {
    case 'ChangeInstancePolicy':
      return changePolicy(state, command)
    case 'FixAccountIdentity':
      return fixIdentity(state, command)
  }
}

/**
 * Records the members that change. What accounts are known by can't become another once there are accounts: refused with
 * INSTANCE_POLICY_TRANSITION_NOT_ALLOWED.
 */
function changePolicy(state: InstanceState, { changes, now }: ChangeInstancePolicy): Decision<InstanceEvent> {
  if (state.status === 'inhabited' && !agrees(state.accountIdentity, changes.accountIdentity ?? {}))
    return refuse('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
  const news = newIn(state.changes, changes)
  if (Object.keys(news).length === 0) return accept()
  return accept({ type: 'InstancePolicyChanged', data: { changes: news, changedAt: now } })
}

function agrees(fixed: AccountIdentityPolicy, changes: Partial<AccountIdentityPolicy>): boolean {
  const { signIn = fixed.signIn, tagStyle = fixed.tagStyle } = changes
  return signIn === fixed.signIn && tagStyle === fixed.tagStyle
}

function fixIdentity(state: InstanceState, { accountIdentity, now }: FixAccountIdentity): Decision<InstanceEvent> {
  if (state.status === 'inhabited') return accept()
  const { signIn, tagStyle } = accountIdentity
  return accept({ type: 'AccountIdentityFixed', data: { signIn, tagStyle, fixedAt: now } })
}

function evolve(state: InstanceState, { type, data }: InstanceEvent): InstanceState {
  switch (type) {
    case 'InstancePolicyChanged':
      return { ...state, changes: merged(state.changes, data.changes) }
    case 'AccountIdentityFixed':
      return {
        status: 'inhabited',
        changes: state.changes,
        accountIdentity: { signIn: data.signIn, tagStyle: data.tagStyle },
      }
  }
}

type Section = Readonly<Record<string, unknown>>

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What changes where some changes are laid over others: members of their sections, each whole. */
function newIn(known: PolicyChanges, changes: PolicyChanges): PolicyChanges {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, section]: [string, unknown]) => {
      const before: unknown = Reflect.get(known, name)
      if (!isSection(section)) return section === undefined || section === before ? [] : [[name, section]]
      const members = Object.entries(section).filter(
        ([member, value]) => value !== undefined && !isSame(isSection(before) ? before[member] : undefined, value),
      )
      return members.length === 0 ? [] : [[name, Object.fromEntries(members)]]
    }),
  )
}

/** Values of members are texts, flags, numbers, null, and lists of texts. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function merged(known: PolicyChanges, changes: PolicyChanges): PolicyChanges {
  const sections = Object.entries(changes).map(([name, section]: [string, unknown]) => {
    const before: unknown = Reflect.get(known, name)
    return [name, isSection(section) && isSection(before) ? { ...before, ...section } : section]
  })
  return { ...known, ...Object.fromEntries(sections) }
}

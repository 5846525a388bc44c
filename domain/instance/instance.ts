import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { isSameConfig, noLimitConfig } from '../limits/limit-config.ts'
import type {
  ChangeInstancePolicy,
  ChangeLimitConfig,
  FixAccountIdentity,
  InstanceCommand,
  TakeLifetimeNumber,
} from './commands.ts'
import { instanceEvents, type InstanceEvent } from './events.ts'
import { mergedChanges, newIn } from './policy-changes.ts'
import type { AccountIdentityPolicy, CommunityPolicy } from './policy.ts'
import type { InstanceState } from './state.ts'

/**
 * The instance as a whole: the changes to its policy at run time. It has a single stream
 * (rules/administration#instance-configuration).
 */
export const instance = aggregate({
  category: 'instance',
  identifiedBy: '`self`: there is one',
  guards: 'changes of the instance policy, and how accounts are named once there are any (decision 14)',
  stateVersion: 2,
  events: instanceEvents,
  initial: {
    status: 'uninhabited',
    changes: {},
    limitConfig: noLimitConfig,
    lifetimes: { given_count: 0, latest: null },
  },
  decide,
  evolve,
})

function decide(state: InstanceState, command: InstanceCommand): Decision<InstanceEvent> {
  switch (command.type) {
    case 'ChangeInstancePolicy':
      return changePolicy(state, command)
    case 'ChangeLimitConfig':
      return changeLimits(state, command)
    case 'FixAccountIdentity':
      return fixIdentity(state, command)
    case 'TakeLifetimeNumber':
      return takeLifetimeNumber(state, command)
  }
}

/**
 * Records the members that change. Refuses senders who may act only during the setup with MISSING_PERMISSIONS once it is
 * finished. Refuses with INSTANCE_POLICY_TRANSITION_NOT_ALLOWED a change of the account identity once there are accounts, and
 * turning private messages on or off while that is locked.
 */
function changePolicy(state: InstanceState, command: ChangeInstancePolicy): Decision<InstanceEvent> {
  const { changes, settings, duringSetup, now } = command
  const { configured } = { ...settings.setup, ...state.changes.setup }
  if (duringSetup && configured) return refuse('MISSING_PERMISSIONS')
  if (state.status === 'inhabited' && !agrees(state.accountIdentity, changes.accountIdentity ?? {}))
    return refuse('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
  const before = { ...settings.community, ...state.changes.community }
  const community = communityChanges(before, changes.community ?? {})
  if (community === 'locked') return refuse('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
  const news = newIn(state.changes, { ...changes, community })
  if (Object.keys(news).length === 0) return accept()
  return accept({ type: 'InstancePolicyChanged', data: { changes: news, changedAt: now } })
}

/** Turning private messages on again locks them, unless the same change says otherwise. */
function communityChanges(
  before: CommunityPolicy,
  changes: Partial<CommunityPolicy>,
): Partial<CommunityPolicy> | 'locked' {
  const { directMessagesDisabled: disabled = before.directMessagesDisabled } = changes
  if (disabled === before.directMessagesDisabled) return changes
  if (changes.directMessagesLocked ?? before.directMessagesLocked) return 'locked'
  return disabled ? changes : { directMessagesLocked: true, ...changes }
}

function changeLimits(state: InstanceState, { config, now }: ChangeLimitConfig): Decision<InstanceEvent> {
  if (isSameConfig(config, state.limitConfig)) return accept()
  const { traitDefinitions, rules } = config
  return accept({ type: 'LimitConfigChanged', data: { traitDefinitions, rules, changedAt: now } })
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

function takeLifetimeNumber({ lifetimes }: InstanceState, command: TakeLifetimeNumber): Decision<InstanceEvent> {
  const { accountId, now: takenAt } = command
  if (lifetimes.latest === accountId) return accept()
  const lifetimeNumber = lifetimes.given_count + 1
  return accept({ type: 'LifetimeNumberTaken', data: { accountId, lifetimeNumber, takenAt } })
}

function evolve(state: InstanceState, { type, data }: InstanceEvent): InstanceState {
  switch (type) {
    case 'InstancePolicyChanged':
      return { ...state, changes: mergedChanges(state.changes, data.changes) }
    case 'AccountIdentityFixed':
      return {
        ...state,
        status: 'inhabited',
        accountIdentity: { signIn: data.signIn, tagStyle: data.tagStyle },
      }
    case 'LifetimeNumberTaken':
      return { ...state, lifetimes: { given_count: data.lifetimeNumber, latest: data.accountId } }
    case 'LimitConfigChanged':
      return { ...state, limitConfig: { traitDefinitions: data.traitDefinitions, rules: data.rules } }
  }
}

import type { PremiumPolicy } from '../../domain/instance/policy.ts'
import { theInstance, type InstanceState } from '../../domain/instance/state.ts'
import { evaluateLimits, type LimitSubject } from '../../domain/limits/evaluate-limits.ts'
import { premiumTrait, stockLimits, type LimitConfig, type LimitDefaults } from '../../domain/limits/limit-config.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { premiumNow } from '../../domain/premium/premium-now.ts'
import type { LimitValues } from '../../domain/limits/limit-keys.ts'
import type { Aggregates } from '../ports.ts'
import type { LimitedAccount, Limits } from '../ports/limits.ts'

/** How old a process's copy of the limits may be. */
export const limitsAge_ms_max = 1000

interface Parts {
  readonly aggregates: Pick<Aggregates, 'instance'>
  /** The operator's settings about premium. */
  readonly premium: PremiumPolicy
  /** Whether this is the hosted service, where premium is paid for. */
  readonly hosted: boolean
  /** A clock that never steps back. */
  readonly now_ms: () => number
  /** The time of day, by which premium ends. */
  readonly clock: () => Timestamp
  /** For tests; the stock limits by default. */
  readonly defaults?: LimitDefaults
}

/**
 * The limits by the rules of the instance. They are evaluated on this process's state of the instance, which is refreshed at most
 * once per `limitsAge_ms_max`. Between refreshes a command reads nothing for its limits.
 */
export function limitsInForce({ aggregates, premium, hosted, now_ms, clock, defaults = stockLimits }: Parts): Limits {
  const { instance } = aggregates
  const current = recentState(instance, now_ms)
  const evaluated = evaluatedOnce(defaults)
  const isForEveryone = (changes: InstanceState['changes']): boolean =>
    !hosted && { ...premium, ...changes.premium }.mode === 'everyone'
  const ofAccount = ({ changes, limitConfig }: InstanceState, account: LimitedAccount): LimitValues => {
    // As a label, the trait `premium` gives nothing.
    const known = account.traits.filter(
      (trait) => trait !== premiumTrait && limitConfig.traitDefinitions.includes(trait),
    )
    const premiumTraits = premiumNow(account, isForEveryone(changes), clock()) ? [premiumTrait] : []
    return evaluated(limitConfig, { kind: 'user', traits: [...premiumTraits, ...known], guildFeatures: [] })
  }
  return {
    defaults,
    ofAccount: async (account) => ofAccount(await current(), account),
    cached: async (account) => ofAccount((await instance.load(theInstance, 'cached')).state, account),
    everyoneHasPremium: async () => isForEveryone((await instance.load(theInstance, 'cached')).state.changes),
    ofGuild: async ({ features }) => {
      const { limitConfig } = await current()
      return evaluated(limitConfig, { kind: 'guild', traits: [], guildFeatures: features })
    },
    config: async () => (await instance.load(theInstance)).state.limitConfig,
    change: async (config, context) => {
      const command = { type: 'ChangeLimitConfig', config, now: context.now } as const
      return (await instance.execute(theInstance, command, context)).state.limitConfig
    },
  }
}

/** How many kinds of subjects have their limits cached. A kind is a combination of traits and features. */
export const evaluatedSubjects_max = 1000

/** Limits depend only on the operator's rules and the subject's traits and features, so each combination is evaluated once. */
function evaluatedOnce(defaults: LimitDefaults): (config: LimitConfig, subject: LimitSubject) => LimitValues {
  let rules: LimitConfig | undefined
  const known = new Map<string, LimitValues>()
  return (config, subject) => {
    if (config !== rules || known.size >= evaluatedSubjects_max) known.clear()
    rules = config
    const { kind, traits, guildFeatures } = subject
    const key = JSON.stringify([kind, traits, guildFeatures])
    const found = known.get(key)
    if (found) return found
    const values = evaluateLimits(config, subject, defaults)
    known.set(key, values)
    return values
  }
}

/** If a refresh fails, the next caller tries again. */
function recentState(instance: Parts['aggregates']['instance'], now_ms: () => number): () => Promise<InstanceState> {
  let readAt_ms = -Infinity
  return async () => {
    const now = now_ms()
    if (now - readAt_ms < limitsAge_ms_max) return (await instance.load(theInstance, 'cached')).state
    const before = readAt_ms
    readAt_ms = now
    try {
      return (await instance.load(theInstance)).state
    } catch (error) {
      readAt_ms = before
      throw error
    }
  }
}

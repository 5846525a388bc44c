import type { PremiumPolicy } from '../../domain/instance/policy.js'
import { theInstance, type InstanceState } from '../../domain/instance/state.js'
import { evaluateLimits, type LimitSubject } from '../../domain/limits/evaluate-limits.js'
import { premiumTrait, stockLimits, type LimitConfig, type LimitDefaults } from '../../domain/limits/limit-config.js'
import type { LimitValues } from '../../domain/limits/limit-keys.js'
import type { Aggregates } from '../ports.js'
import { limitsAge_ms_max, type LimitedAccount, type Limits } from '../ports/limits.js'

interface Parts {
  readonly aggregates: Pick<Aggregates, 'instance'>
  /** What the operator's settings say of premium. */
  readonly premium: PremiumPolicy
  /** Whether it is the hosted service: there, who is premium has paid for it. */
  readonly hosted: boolean
  /** A clock that never steps back. */
  readonly now_ms: () => number
  /** For tests; the stock limits otherwise. */
  readonly defaults?: LimitDefaults
}

/**
 * The limits by the rules of the instance. They are evaluated on the state that this process has at hand, which is brought up
 * to date once in `limitsAge_ms_max`: a command reads nothing for its limits otherwise.
 */
export function limitsInForce({ aggregates, premium, hosted, now_ms, defaults = stockLimits }: Parts): Limits {
  const { instance } = aggregates
  const current = recentState(instance, now_ms)
  const evaluated = evaluatedOnce(defaults)
  const ofAccount = ({ changes, limitConfig }: InstanceState, { bot = false }: LimitedAccount): LimitValues => {
    const { mode } = { ...premium, ...changes.premium }
    // No account has traits of its own, or premium of its own, yet.
    const traits = bot || (!hosted && mode === 'everyone') ? [premiumTrait] : []
    return evaluated(limitConfig, { kind: 'user', traits, guildFeatures: [] })
  }
  return {
    defaults,
    ofAccount: async (account) => ofAccount(await current(), account),
    atHand: async (account) => ofAccount((await instance.load(theInstance, 'cached')).state, account),
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

/** Kinds of accounts and guilds, told apart by traits and features, whose limits are kept at hand. */
export const evaluatedSubjects_max = 1000

/** Limits follow from the operator's rules and from what is said of the subject alone: they are evaluated once for each. */
function evaluatedOnce(defaults: LimitDefaults): (config: LimitConfig, subject: LimitSubject) => LimitValues {
  let rules: LimitConfig | undefined
  const known = new Map<string, LimitValues>()
  return (config, subject) => {
    if (config !== rules || known.size >= evaluatedSubjects_max) known.clear()
    rules = config
    const { kind, traits, guildFeatures } = subject
    const key = `${kind} ${traits.join()} ${guildFeatures.join()}`
    const found = known.get(key)
    if (found) return found
    const values = evaluateLimits(config, subject, defaults)
    known.set(key, values)
    return values
  }
}

/** Where bringing it up to date fails, the next one who asks tries again. */
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

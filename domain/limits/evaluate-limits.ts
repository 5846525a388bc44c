import { rulesWithDefaults, type LimitConfig, type LimitDefaults, type LimitRule } from './limit-config.js'
import { limitKeys, limitOf, type LimitKey, type LimitValues } from './limit-keys.js'

/** Whose limits are asked for. */
export interface LimitSubject {
  readonly kind: 'user' | 'guild'
  readonly traits: readonly string[]
  readonly guildFeatures: readonly string[]
}

/** What max_guild_members begins with for a guild with VERY_LARGE_GUILD (contract part 1, Guild features). */
export const veryLargeGuild = { feature: 'VERY_LARGE_GUILD', members: 10_000_000 } as const

/**
 * The limits of an account or a guild (reference identity 8.7). From the defaults on, the rules that match are applied, those
 * that name fewer traits and features first: one that names none replaces every value that it has, another only raises. Values
 * that the rule `default` has by default replace nothing, or VERY_LARGE_GUILD would come to nothing.
 */
export function evaluateLimits(config: LimitConfig, subject: LimitSubject, defaults: LimitDefaults): LimitValues {
  const matching = rulesWithDefaults(config, defaults)
    .filter((rule) => matches(rule, subject))
    .map((rule) => (rule.id === 'default' ? { ...rule, limits: only(rule.limits, rule.modified) } : rule))
    .toSorted((one, other) => specificityOf(one) - specificityOf(other))
  return matching.reduce((values, rule) => apply(values, rule, subject.kind), baseOf(subject, defaults))
}

function matches({ filters }: LimitRule, { traits, guildFeatures }: LimitSubject): boolean {
  return (
    filters.traits.every((trait) => traits.includes(trait)) &&
    filters.guildFeatures.every((feature) => guildFeatures.includes(feature))
  )
}

const specificityOf = ({ filters }: LimitRule): number => filters.traits.length + filters.guildFeatures.length

function baseOf({ kind, guildFeatures }: LimitSubject, defaults: LimitDefaults): LimitValues {
  if (kind === 'user' || !guildFeatures.includes(veryLargeGuild.feature)) return defaults.default
  const { max_guild_members: members } = defaults.default
  return { ...defaults.default, max_guild_members: Math.max(members, veryLargeGuild.members) }
}

function only(limits: Partial<LimitValues>, keys: readonly LimitKey[]): Partial<LimitValues> {
  return Object.fromEntries(keys.map((key) => [key, limits[key]]))
}

function apply(values: LimitValues, rule: LimitRule, kind: LimitSubject['kind']): LimitValues {
  const replaces = specificityOf(rule) === 0
  const changed = limitKeys.flatMap((key): [LimitKey, number][] => {
    const value = rule.limits[key]
    if (value === undefined || !counts(key, rule, kind)) return []
    return [[key, replaces ? value : Math.max(values[key], value)]]
  })
  return { ...values, ...Object.fromEntries(changed) }
}

/** Which limits a rule speaks of where an account, or a guild, is asked about. */
function counts(key: LimitKey, { filters }: LimitRule, kind: LimitSubject['kind']): boolean {
  const { scope } = limitOf(key)
  if (scope === 'both') return true
  if (kind === 'user') return scope === 'user'
  const hasFeatures = filters.guildFeatures.length > 0
  return scope === 'user' ? !hasFeatures : hasFeatures || filters.traits.length === 0
}

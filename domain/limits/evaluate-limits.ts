import { rulesWithDefaults, type LimitConfig, type LimitDefaults, type LimitRule } from './limit-config.ts'
import { limitKeys, limitOf, type LimitKey, type LimitValues } from './limit-keys.ts'

/** The subject of limits. */
export interface LimitSubject {
  readonly kind: 'user' | 'guild'
  readonly traits: readonly string[]
  readonly guildFeatures: readonly string[]
}

/** The initial max_guild_members of a guild with VERY_LARGE_GUILD. */
export const veryLargeGuild = { feature: 'VERY_LARGE_GUILD', members: 10_000_000 } as const

/**
 * The limits of an account or guild. Starts from the defaults and applies the matching rules, those with fewer traits
 * and features first. A rule without any replaces values; other rules only raise them. Unmodified values of the rule
 * `default` replace nothing, or VERY_LARGE_GUILD would have no effect. See rules/administration#limits.
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

/** Whether a rule applies to a limit when evaluating an account or a guild. */
function counts(key: LimitKey, { filters }: LimitRule, kind: LimitSubject['kind']): boolean {
  const { scope } = limitOf(key)
  if (scope === 'both') return true
  if (kind === 'user') return scope === 'user'
  const hasFeatures = filters.guildFeatures.length > 0
  return scope === 'user' ? !hasFeatures : hasFeatures || filters.traits.length === 0
}

import { limitDefinitions, limitKeys, limitOf, type LimitKey, type LimitValues } from './limit-keys.ts'

/** A rule that changes limits for some subjects. */
export interface LimitRule {
  /** 1-100 characters, unique in a document. */
  readonly id: string
  /** The subject must have all of these; a rule without any applies to everybody. */
  readonly filters: { readonly traits: readonly string[]; readonly guildFeatures: readonly string[] }
  /** Whole numbers from 0 up. */
  readonly limits: Partial<LimitValues>
}

/** The operator's own rules, as sent. */
export interface LimitConfig {
  /** The traits that an operator plans to give to accounts. */
  readonly traitDefinitions: readonly string[]
  readonly rules: readonly LimitRule[]
}

export const noLimitConfig: LimitConfig = { traitDefinitions: [], rules: [] }

/** Computed from the premium state of an account. */
export const premiumTrait = 'premium'

/** Whether two documents are equal, whatever the order of members in their rules. */
export function isSameConfig(one: LimitConfig, other: LimitConfig): boolean {
  return textOf(one) === textOf(other)
}

function textOf({ traitDefinitions, rules }: LimitConfig): string {
  const said = rules.map(({ id, filters, limits }) => [
    id,
    filters.traits,
    filters.guildFeatures,
    limitKeys.map((key) => limits[key] ?? null),
  ])
  return JSON.stringify([traitDefinitions, said])
}

/** The default rules. A document may change their values, but not their filters. */
export interface LimitDefaults {
  readonly default: LimitValues
  readonly premium: Partial<LimitValues>
}

/** The stock limits, for operators without rules of their own. */
export const stockLimits: LimitDefaults = {
  default: valuesOf((key) => limitDefinitions[key].value),
  premium: Object.fromEntries(
    limitKeys.flatMap((key): [LimitKey, number][] => {
      const { premium } = limitOf(key)
      return premium === undefined ? [] : [[key, premium]]
    }),
  ),
}

/** The limits with the value of each key. */
export function valuesOf(valueOf: (key: LimitKey) => number): LimitValues {
  // The keys are those of the table, so none is missing.
  return Object.fromEntries(limitKeys.map((key) => [key, valueOf(key)])) as LimitValues
}

/** A rule as operators see it. */
export interface ShownRule extends LimitRule {
  /** The values of a default rule that come from the operator; empty for other rules. */
  readonly modified: readonly LimitKey[]
}

/** The rules of a document merged with the default ones: the default rules first, then the others in their order. */
export function rulesWithDefaults({ rules }: LimitConfig, defaults: LimitDefaults): readonly ShownRule[] {
  const standing = [
    { id: 'default', filters: { traits: [], guildFeatures: [] }, limits: defaults.default },
    { id: 'premium', filters: { traits: [premiumTrait], guildFeatures: [] }, limits: defaults.premium },
  ] as const satisfies readonly LimitRule[]
  const merged = standing.map((rule: LimitRule): ShownRule => {
    const own = rules.find(({ id }) => id === rule.id)?.limits ?? {}
    const modified = limitKeys.filter((key) => own[key] !== undefined && own[key] !== rule.limits[key])
    return { ...rule, limits: { ...rule.limits, ...own }, modified }
  })
  const others = rules.filter(({ id }) => standing.every((rule) => rule.id !== id))
  return [...merged, ...others.map((rule) => ({ ...rule, modified: [] }))]
}

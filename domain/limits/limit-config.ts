import { limitDefinitions, limitKeys, limitOf, type LimitKey, type LimitValues } from './limit-keys.js'

/** What holds where more than the defaults is asked for (reference identity 8.7). */
export interface LimitRule {
  /** 1-100 characters, once in a document. */
  readonly id: string
  /** All of these have to be there; a rule without any holds for everybody. */
  readonly filters: { readonly traits: readonly string[]; readonly guildFeatures: readonly string[] }
  /** Whole numbers from 0 up. */
  readonly limits: Partial<LimitValues>
}

/** The operator's own rules, as they were put. */
export interface LimitConfig {
  /** The traits that an operator means to give to accounts. */
  readonly traitDefinitions: readonly string[]
  readonly rules: readonly LimitRule[]
}

export const noLimitConfig: LimitConfig = { traitDefinitions: [], rules: [] }

/** Computed from the premium state of an account (reference identity 8.7). */
export const premiumTrait = 'premium'

/** Whether two documents say the same, in whatever order the members of their rules stand. */
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

/** The rules that are always there. A document may change their values, but not for whom they are. */
export interface LimitDefaults {
  readonly default: LimitValues
  readonly premium: Partial<LimitValues>
}

/** What holds where an operator has said nothing: the stock limits. */
export const stockLimits: LimitDefaults = {
  default: valuesOf((key) => limitDefinitions[key].value),
  premium: Object.fromEntries(
    limitKeys.flatMap((key): [LimitKey, number][] => {
      const { premium } = limitOf(key)
      return premium === undefined ? [] : [[key, premium]]
    }),
  ),
}

/** The limits, each with the value that is asked for. */
export function valuesOf(valueOf: (key: LimitKey) => number): LimitValues {
  // The keys are those of the table, so none is left out.
  return Object.fromEntries(limitKeys.map((key) => [key, valueOf(key)])) as LimitValues
}

/** A rule as operators see it. */
export interface ShownRule extends LimitRule {
  /** The values that a default rule has from the operator and not by default; none of other rules. */
  readonly modified: readonly LimitKey[]
}

/** The rules of a document with the default ones merged back: those first, then the others in their order. */
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

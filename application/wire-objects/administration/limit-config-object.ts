import {
  rulesWithDefaults,
  premiumTrait,
  type LimitConfig,
  type LimitDefaults,
  type LimitRule,
  type ShownRule,
} from '../../../domain/limits/limit-config.ts'
import { isToggle, limitCategories, limitKeys, limitOf, type LimitKey } from '../../../domain/limits/limit-keys.ts'
import { limitsToCome } from '../../../domain/limits/limits-to-come.ts'

/** The subjects of a rule; an empty filter is left out. */
export interface LimitFiltersObject {
  readonly traits?: readonly string[]
  readonly guildFeatures?: readonly string[]
}

/** The limit configuration as operators see it. */
export function limitConfigObject(config: LimitConfig, defaults: LimitDefaults, hosted: boolean) {
  const shown = { traitDefinitions: traitsOf(config), rules: rulesWithDefaults(config, defaults).map(ruleObject) }
  return {
    limit_config: shown,
    limit_config_json: JSON.stringify(shown),
    self_hosted: !hosted,
    defaults: { default: defaults.default, premium: defaults.premium },
    metadata: Object.fromEntries(limitKeys.map((key) => [key, metadataOf(key)])),
    categories: limitCategories,
    limit_keys: limitKeys,
  }
}

export type LimitConfigObject = ReturnType<typeof limitConfigObject>

/** The traits that rules can use: the computed one, and those that the operator has defined. */
export function traitsOf({ traitDefinitions }: LimitConfig): readonly string[] {
  return [...new Set([premiumTrait, ...traitDefinitions])]
}

/** The member `filters` of a rule; absent if the rule holds for everybody. */
export function filtersObject({ traits, guildFeatures }: LimitRule['filters']): {
  readonly filters?: LimitFiltersObject
} {
  const filters = { ...(traits.length > 0 && { traits }), ...(guildFeatures.length > 0 && { guildFeatures }) }
  return Object.keys(filters).length === 0 ? {} : { filters }
}

function ruleObject({ id, filters, limits, modified }: ShownRule) {
  return {
    id,
    ...filtersObject(filters),
    limits,
    ...(modified.length > 0 && { modifiedFields: modified }),
  }
}

function metadataOf(key: LimitKey) {
  const { label, description, category, scope, unit, min, max } = limitOf(key)
  return {
    key,
    label,
    description: limitsToCome.has(key) ? `${description} It has no effect yet.` : description,
    category,
    scope,
    isToggle: isToggle(key),
    ...(unit === undefined ? {} : { unit }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
}

import { z } from 'zod'
import {
  rulesWithDefaults,
  premiumTrait,
  type LimitConfig,
  type LimitDefaults,
  type LimitRule,
  type ShownRule,
} from '../../../domain/limits/limit-config.ts'
import {
  isToggle,
  limitCategories,
  limitKeys,
  limitOf,
  type LimitKey,
  type LimitCategory,
} from '../../../domain/limits/limit-keys.ts'
import { limitsToCome } from '../../../domain/limits/limits-to-come.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const limitKeySchema = z.enum(limitKeys)
const limitValuesSchema = z.partialRecord(limitKeySchema, z.int())

/** What a rule of the limits asks of accounts and guilds. */
export const limitFilters = z
  .object({
    traits: z.array(z.string()).readonly().optional().describe('Traits that the account must have.'),
    guildFeatures: z.array(z.string()).readonly().optional().describe('Features that the guild must have.'),
  })
  .optional()
  .describe('Whom the rule is for: all that it names must hold.')

const shownRuleSchema = z.object({
  id: z.string(),
  filters: limitFilters,
  limits: limitValuesSchema.describe('Values by the key of the limit.'),
  modifiedFields: z.array(limitKeySchema).readonly().optional(),
})

const limitMetadataSchema = z.object({
  key: limitKeySchema,
  label: z.string(),
  description: z.string(),
  category: z.enum(Object.keys(limitCategories) as [LimitCategory, ...LimitCategory[]]),
  scope: z.enum(['user', 'guild', 'both']),
  isToggle: z.boolean().describe('Whether the limit is a switch: 0 off, 1 on.'),
  unit: z.enum(['bytes', 'count']).optional(),
  min: z.int().optional().describe('The lowest value.'),
  max: z.int().optional().describe('The highest value.'),
})

export const limitConfigSchema = wireObject('LimitConfig', {
  limit_config: z
    .object({
      traitDefinitions: z.array(z.string()).readonly().describe('The traits that rules can ask for.'),
      rules: z.array(shownRuleSchema).readonly(),
    })
    .describe('All rules: they replace the stored ones.'),
  limit_config_json: z.string(),
  self_hosted: z.boolean().describe('Whether the instance sells nothing.'),
  defaults: z.record(z.string(), limitValuesSchema),
  metadata: z.record(z.string(), limitMetadataSchema),
  categories: z.record(z.string(), z.string()),
  limit_keys: z.array(limitKeySchema).readonly(),
})

export type LimitConfigObject = ObjectOf<typeof limitConfigSchema>

/** The subjects of a rule; an empty filter is left out. */
export interface LimitFiltersObject {
  readonly traits?: readonly string[]
  readonly guildFeatures?: readonly string[]
}

/** The limit configuration as operators see it. */
export function limitConfigObject(config: LimitConfig, defaults: LimitDefaults, hosted: boolean): LimitConfigObject {
  const shown = { traitDefinitions: traitsOf(config), rules: rulesWithDefaults(config, defaults).map(ruleObject) }
  return objectOf(limitConfigSchema, {
    limit_config: shown,
    limit_config_json: JSON.stringify(shown),
    self_hosted: !hosted,
    defaults: { default: defaults.default, premium: defaults.premium },
    metadata: Object.fromEntries(limitKeys.map((key) => [key, metadataOf(key)])),
    categories: limitCategories,
    limit_keys: limitKeys,
  })
}

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

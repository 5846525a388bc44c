import { z } from 'zod'
import type { LimitConfig, LimitRule } from '../../../../../domain/limits/limit-config.ts'
import {
  isToggle,
  limitCategories,
  limitKeys,
  type LimitCategory,
  type LimitKey,
} from '../../../../../domain/limits/limit-keys.ts'
import { issue } from '../../scalars.ts'

const rules_max = 200
const names_max = 100
const name = z.string().min(1).max(128)
const names = z.array(name).max(names_max)
const key = z.enum(limitKeys)
const value = z.int().min(0)

const limits = z.partialRecord(key, value).superRefine((values, context) => {
  for (const [limit, wished] of Object.entries(values))
    if (isToggle(limit as LimitKey) && wished > 1)
      context.addIssue({ code: 'custom', message: 'is 0 or 1', path: [limit], params: { code: 'INVALID_FORMAT' } })
})

const rule = z
  .object({
    id: z.string().min(1).max(names_max),
    filters: z.object({ traits: names.optional(), guildFeatures: names.optional() }).optional(),
    limits,
  })
  .transform(({ id, filters, limits: values }): LimitRule => ({
    id,
    filters: { traits: [...new Set(filters?.traits)], guildFeatures: [...new Set(filters?.guildFeatures)] },
    limits: values,
  }))

/** The body of Update limit configuration. Each rule has an id of its own. */
export const limitConfigBody = z
  .object({
    limit_config: z
      .object({ traitDefinitions: names.default([]), rules: z.array(rule).max(rules_max) })
      .transform((config, context): LimitConfig => {
        if (new Set(config.rules.map(({ id }) => id)).size < config.rules.length)
          return issue(context, 'INVALID_FORMAT')
        return { traitDefinitions: [...new Set(config.traitDefinitions)], rules: config.rules }
      }),
  })
  .meta({ id: 'LimitConfigBody' })

const values = z.partialRecord(key, z.int())

const shownRule = z.object({
  id: z.string(),
  filters: z
    .object({
      traits: z.array(z.string()).readonly().optional().describe('Traits that the account must have.'),
      guildFeatures: z.array(z.string()).readonly().optional().describe('Features that the guild must have.'),
    })
    .optional()
    .describe('Whom the rule is for: all that it names must hold.'),
  limits: values.describe('Values by the key of the limit.'),
  modifiedFields: z.array(key).readonly().optional(),
})

const metadata = z.object({
  key,
  label: z.string(),
  description: z.string(),
  category: z.enum(Object.keys(limitCategories) as [LimitCategory, ...LimitCategory[]]),
  scope: z.enum(['user', 'guild', 'both']),
  isToggle: z.boolean().describe('Whether the limit is a switch: 0 off, 1 on.'),
  unit: z.enum(['bytes', 'count']).optional(),
  min: z.int().optional().describe('The lowest value.'),
  max: z.int().optional().describe('The highest value.'),
})

export const limitConfigReply = z
  .object({
    limit_config: z
      .object({
        traitDefinitions: z.array(z.string()).readonly().describe('The traits that rules can ask for.'),
        rules: z.array(shownRule).readonly(),
      })
      .describe('All rules: they replace the stored ones.'),
    limit_config_json: z.string(),
    self_hosted: z.boolean().describe('Whether the instance sells nothing.'),
    defaults: z.record(z.string(), values),
    metadata: z.record(z.string(), metadata),
    categories: z.record(z.string(), z.string()),
    limit_keys: z.array(key).readonly(),
  })
  .meta({ id: 'LimitConfig' })

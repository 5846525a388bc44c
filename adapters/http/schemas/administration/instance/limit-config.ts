import { z } from 'zod'
import type { LimitConfig, LimitRule } from '../../../../../domain/limits/limit-config.ts'
import { isToggle, limitKeys, type LimitKey } from '../../../../../domain/limits/limit-keys.ts'
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
  .transform(({ id, filters, limits: limitValuesSchema }): LimitRule => ({
    id,
    filters: { traits: [...new Set(filters?.traits)], guildFeatures: [...new Set(filters?.guildFeatures)] },
    limits: limitValuesSchema,
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

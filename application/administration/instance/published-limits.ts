import { createHash } from 'node:crypto'
import type { LimitKey } from '../../../domain/limits/limit-keys.ts'
import { limitsNotBuilt } from '../../../domain/limits/limits-to-come.ts'
import { veryLargeGuild } from '../../../domain/limits/evaluate-limits.ts'
import {
  rulesWithDefaults,
  type LimitConfig,
  type LimitDefaults,
  type ShownRule,
} from '../../../domain/limits/limit-config.ts'
import {
  filtersObject,
  traitsOf,
  type LimitFiltersObject,
} from '../../wire-objects/administration/limit-config-object.ts'

export interface PublishedRule {
  readonly id: string
  readonly filters?: LimitFiltersObject
  readonly overrides: ShownRule['limits']
}

/**
 * The limits in the discovery document. A client that evaluates these rules gets the same limits as the server.
 * VERY_LARGE_GUILD is published as a rule as long as it makes a difference.
 */
export function publishedLimits(config: LimitConfig, defaults: LimitDefaults) {
  const rules = rulesWithDefaults(config, defaults)
  const [first, ...others] = rules.map(published)
  const members = { max_guild_members: veryLargeGuild.members }
  const ofLargeGuilds = {
    id: 'very_large_guild',
    filters: { guildFeatures: [veryLargeGuild.feature] },
    overrides: members,
  } as const
  const isChanged = rules[0]?.modified.includes('max_guild_members') ?? false
  return {
    version: 2,
    traitDefinitions: traitsOf(config),
    rules: [...(first ? [first] : []), ...(isChanged ? [] : [ofLargeGuilds]), ...others],
    defaultsHash: createHash('sha256').update(JSON.stringify(defaults.default)).digest('hex'),
  } as const
}

/** A limit of a feature that is not built yet is 0 by default, and no rule raises it. */
function published({ id, filters, limits }: ShownRule): PublishedRule {
  const entries = Object.entries(limits) as readonly (readonly [LimitKey, number])[]
  const overrides = Object.fromEntries(
    entries.flatMap(([key, value]) => (!limitsNotBuilt.has(key) ? [[key, value]] : id === 'default' ? [[key, 0]] : [])),
  )
  return { id, ...filtersObject(filters), overrides }
}

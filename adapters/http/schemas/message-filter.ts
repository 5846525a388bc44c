import { z } from 'zod'
import type { MessageFilter } from '../../../application/ports/message-filter.ts'
import { guildIdInput, withDefault } from './scalars.ts'
import { timestampInput } from './timestamps.ts'

const guilds_max = 500
const guilds = withDefault(z.array(guildIdInput).max(guilds_max).readonly(), [])
const included = withDefault(z.boolean(), true)

/** Which messages are meant. What is not said leaves nothing out. */
export const messageFilter = z
  .object({
    scope: withDefault(z.enum(['selected', 'inaccessible_only']), 'selected'),
    include_dms: included,
    include_dms_closed: included,
    include_group_dms: included,
    include_guilds: included,
    guild_filter_mode: withDefault(z.enum(['exclude', 'include_only']), 'exclude'),
    excluded_guild_ids: guilds,
    included_guild_ids: guilds,
    start_date: timestampInput.nullish(),
    end_date: timestampInput.nullish(),
  })
  .transform((filter): MessageFilter => ({
    scope: filter.scope,
    includesDirect: filter.include_dms,
    includesClosedDirect: filter.include_dms_closed,
    includesGroups: filter.include_group_dms,
    includesGuilds: filter.include_guilds,
    guildMode: filter.guild_filter_mode,
    guilds: filter.guild_filter_mode === 'exclude' ? filter.excluded_guild_ids : filter.included_guild_ids,
    from: filter.start_date ?? null,
    until: filter.end_date ?? null,
  }))

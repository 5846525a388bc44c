import { z } from 'zod'
import { archiveSubjectTypes, type MessageFilter } from '../../../application/ports/archives.js'
import { snowflakeOutput, timestampOutput } from './outputs.js'
import { queryBoolean, queryInteger } from './query-inputs.js'
import { accountIdInput, archiveIdInput, guildIdInput, snowflakeInput, withDefault } from './scalars.js'
import { timestampInput } from './timestamps.js'

/** What both kinds of archive objects say of an archive (reference stores 4.8 and 5.3). */
const progress = {
  started_at: timestampOutput.nullable(),
  completed_at: timestampOutput.nullable(),
  failed_at: timestampOutput.nullable(),
  file_size: z.string().nullable(),
  progress_percent: z.number().min(0).max(100),
  progress_step: z.string().nullable(),
  error_message: z.string().nullable(),
  download_url_expires_at: timestampOutput.nullable(),
  expires_at: timestampOutput.nullable(),
}

export const archive = z
  .object({
    archive_id: snowflakeOutput,
    subject_type: z.enum(archiveSubjectTypes),
    subject_id: snowflakeOutput,
    requested_by: snowflakeOutput,
    requested_at: timestampOutput,
    ...progress,
  })
  .meta({ id: 'Archive' })

export const archiveList = z.object({ archives: z.array(archive).readonly() })
export const oneArchive = z.object({ archive: archive.nullable() })
/** In camel case, unlike everything else (reference stores 4.8). */
export const archiveLink = z.object({ downloadUrl: z.url(), expiresAt: timestampOutput })

/** Contract part 3, Trigger user archive; the same for a guild. */
export const archiveWish = z.object({ include_attachments: withDefault(z.boolean(), false) })

const page = { min: 1, max: 200, default: 50 }

export const archivesQuery = z
  .object({
    subject_type: z.enum([...archiveSubjectTypes, 'all']).default('all'),
    subject_id: snowflakeInput.optional(),
    requested_by: accountIdInput.optional(),
    limit: queryInteger(page, page.default),
    include_expired: queryBoolean,
  })
  .transform((query, context) => {
    if (query.subject_type === 'all' && query.subject_id !== undefined) {
      const code = 'INVALID_FORMAT'
      context.addIssue({ code: 'custom', path: ['subject_type'], message: code, params: { code } })
      return z.NEVER
    }
    return {
      type: query.subject_type,
      subjectId: query.subject_id ?? null,
      requestedBy: query.requested_by ?? null,
      includesExpired: query.include_expired,
      limit: query.limit,
    }
  })

export const archiveParams = z.object({
  subject_type: z.enum(archiveSubjectTypes),
  subject_id: snowflakeInput,
  archive_id: archiveIdInput,
})

/** An archive that its holder asked for. */
export const harvest = z
  .object({
    harvest_id: snowflakeOutput,
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    created_at: timestampOutput,
    ...progress,
  })
  .meta({ id: 'DataHarvest' })

export const requestedHarvest = harvest.pick({ harvest_id: true, status: true, created_at: true })
export const harvestLink = z.object({ download_url: z.url(), expires_at: timestampOutput })
export const harvestParams = z.object({ harvest_id: archiveIdInput })

const guilds_max = 500
const guilds = withDefault(z.array(guildIdInput).max(guilds_max).readonly(), [])
const included = withDefault(z.boolean(), true)

/** Which messages are meant (reference stores 5.2, Filter). What is not said leaves nothing out. */
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

import { z } from 'zod'
import { archiveSubjectTypes } from '../../../application/identity/archives/archive-subject.ts'
import { queryBoolean, queryInteger } from './query-inputs.ts'
import { accountIdInput, archiveIdInput, snowflakeInput, withDefault } from './scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../application/wire-objects/scalars.ts'

/** What both kinds of archive objects say of an archive. */
const progress = {
  started_at: timestampOutput.nullable().describe('Null until it starts.'),
  completed_at: timestampOutput.nullable().describe('Null until then.'),
  failed_at: timestampOutput.nullable().describe('Null unless it failed.'),
  file_size: z.string().nullable().describe('Bytes as a decimal string; null until it is built.'),
  progress_percent: z.number().min(0).max(100).describe('From 0 to 100.'),
  progress_step: z.string().nullable(),
  error_message: z.string().nullable().describe('Why it failed; null if it did not.'),
  download_url_expires_at: timestampOutput.nullable(),
  expires_at: timestampOutput.nullable().describe('Null for never.'),
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
/** Its members are in camel case, unlike those of all other objects. */
export const archiveLink = z.object({ downloadUrl: z.url(), expiresAt: timestampOutput })

/** The body of Trigger user archive, and of the same for a guild. */
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

import { z } from 'zod'
import { queryTrueByDefault } from '../query-inputs.ts'
import { channelIdInput, messageIdInput } from '../scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const entries_max = 1000

/** Delete all user messages: the query, then the reply. */
export const dryRunQuery = z.object({ dry_run: queryTrueByDefault })
export const allMessagesDeletion = z.object({
  success: z.literal(true),
  dry_run: z.boolean().describe('Whether nothing is changed, only counted.'),
  channel_count: z.int().describe('How many channels they stand in.'),
  message_count: z.int().describe('How many messages.'),
  job_id: snowflakeOutput.optional(),
})

/** Shred user messages: the body, then the reply. */
export const shredEntries = z.object({
  entries: z
    .array(z.object({ channel_id: channelIdInput, message_id: messageIdInput }))
    .min(1)
    .max(entries_max),
})
export const queuedShredding = z.object({
  success: z.literal(true),
  job_id: snowflakeOutput,
  requested: z.int().describe('How many were asked for.'),
})

export const messageShredJob = z
  .object({
    status: z.enum(['not_found', 'in_progress', 'completed', 'failed']),
    requested: z.int().optional().describe('How many were asked for.'),
    total: z.int().optional().describe('How many were found.'),
    processed: z.int().optional().describe('How many are done.'),
    skipped: z.int().optional().describe('How many did not exist or could not be deleted.'),
    started_at: timestampOutput.optional(),
    completed_at: timestampOutput.optional(),
    failed_at: timestampOutput.optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'MessageShredJob' })

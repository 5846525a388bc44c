import { z } from 'zod'
import { wireObject, type ObjectOf } from '../declaration.ts'
import { secrets, snowflakeOutput } from '../scalars.ts'

const foretoldEventSchema = wireObject('ForetoldEvent', {
  stream: z.string(),
  type: z.string(),
  data: z
    .record(z.string(), z.unknown())
    .register(secrets, { isSecret: true })
    .describe('With new ids of its own: the request itself would make others.'),
  left_out: z.array(z.string()).readonly().describe('The personal members, which are null here.'),
  dispatches: z.array(z.string()).readonly().describe('What it may be told as, to sessions that see it.'),
})

const foretoldEntrySchema = wireObject('ForetoldAuditEntry', {
  action: z.string(),
  target_type: z.string(),
  target_id: z.string(),
  metadata: z.record(z.string(), z.string()),
})

const foretoldMailSchema = wireObject('ForetoldMail', {
  template: z.string(),
  user_id: snowflakeOutput.describe('The account that the mail is about; to whom it goes is personal.'),
})

const foretoldJobSchema = wireObject('ForetoldJob', {
  task: z.string(),
  total: z.int().nullable().describe('How many items the job would work on; null for a job without items.'),
})

export const dryRunSchema = wireObject('DryRun', {
  status: z.int().describe('The status of the answer that the request would have.'),
  events: z.array(foretoldEventSchema).readonly().describe('What would be appended, in this order.'),
  audit_entries: z.array(foretoldEntrySchema).readonly().describe('Of the admin audit log.'),
  mails: z.array(foretoldMailSchema).readonly(),
  jobs: z.array(foretoldJobSchema).readonly().describe('What workers would do afterwards.'),
})

export type DryRunObject = ObjectOf<typeof dryRunSchema>

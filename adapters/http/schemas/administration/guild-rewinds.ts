import { z } from 'zod'
import { rewindChanges_max, type RewindWishes } from '../../../../application/administration/rewinds/queue-rewind.ts'
import { whysLost } from '../../../../application/administration/rewinds/rewind-in-words.ts'
import { snowflakeOutput } from '../../../../application/wire-objects/scalars.ts'
import { withDefault } from '../scalars.ts'
import { timestampInput } from '../timestamps.ts'

/** To which moment a guild goes back. Without `dry_run` it does. */
export const guildRewind = z
  .object({ to: timestampInput, dry_run: withDefault(z.boolean(), false) })
  .transform(({ to, dry_run: dryRun }): RewindWishes => ({ to, dryRun }))

export const queuedRewind = z
  .object({
    job_id: snowflakeOutput.nullable().describe('Null for a dry run, and where there is nothing to do.'),
    changes: z.array(z.string()).readonly().describe('What the rewind does, each change as a sentence.'),
    truncated: z.boolean().describe(`Whether there are more than these ${rewindChanges_max} changes.`),
    lost: z
      .array(z.object({ text: z.string(), why: z.enum(whysLost) }).meta({ id: 'LostByRewind' }))
      .readonly()
      .describe('What does not come back.'),
  })
  .meta({ id: 'QueuedRewind' })

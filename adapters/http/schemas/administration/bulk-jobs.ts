import { z } from 'zod'
import { bulkItems_max, type BulkWishes } from '../../../../application/administration/bulk/bulk-tasks.ts'
import { guildFeatures } from '../../../../domain/guild/features.ts'
import { accountIdInput, guildIdInput, orNull, textInput, withDefault } from '../scalars.ts'
import { flagWords } from './user-facts.ts'
import { days, publicReason, reasonCode } from './user-deletion.ts'
import { snowflakeOutput } from '../../../../application/wire-objects/scalars.ts'

const features_max = 100

const dryRun = withDefault(z.boolean(), false)
const userIds = z.array(accountIdInput).max(bulkItems_max)
/** Names of features, at most 100; none where they are not sent. */
export const featureNames = withDefault(z.array(z.enum(guildFeatures)).max(features_max), [])

/** A job on many accounts, guilds or values. Without `dry_run` it is no dry run. */
export const bulkJob = z
  .discriminatedUnion('task', [
    z.object({
      task: z.literal('update_user_flags'),
      user_ids: userIds,
      add_flags: flagWords,
      remove_flags: flagWords,
      dry_run: dryRun,
    }),
    z.object({
      task: z.literal('schedule_user_deletion'),
      user_ids: userIds,
      reason_code: reasonCode,
      public_reason: orNull(textInput(publicReason)),
      days_until_deletion: withDefault(z.int().min(days.min).max(days.max), days.default),
      notify_user: withDefault(z.boolean(), true),
      dry_run: dryRun,
    }),
    z.object({
      task: z.literal('update_guild_features'),
      guild_ids: z.array(guildIdInput).max(bulkItems_max),
      add_features: featureNames,
      remove_features: featureNames,
      dry_run: dryRun,
    }),
  ])
  .transform((body): BulkWishes => {
    switch (body.task) {
      case 'update_user_flags': {
        const act = { add: body.add_flags, remove: body.remove_flags }
        return { task: body.task, dryRun: body.dry_run, ids: body.user_ids, act }
      }
      case 'schedule_user_deletion': {
        const act = {
          reasonCode: body.reason_code,
          days: body.days_until_deletion,
          publicReason: body.public_reason,
          notifiesHolder: body.notify_user,
        }
        return { task: body.task, dryRun: body.dry_run, ids: body.user_ids, act }
      }
      case 'update_guild_features': {
        const act = { add: body.add_features, remove: body.remove_features }
        return { task: body.task, dryRun: body.dry_run, ids: body.guild_ids, act }
      }
    }
  })

export const queuedJob = z.object({ job_id: snowflakeOutput })

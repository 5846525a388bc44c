import { z } from 'zod'
import type { AdminGuildChanges } from '../../../../application/administration/guilds/update-guild.ts'
import { adminGuildSchema } from '../../../../application/wire-objects/administration/admin-guild-object.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { customCodeLength, parseCustomCode } from '../../../../domain/text/normalise.ts'
import { sharedGuildMembers, sharedSettings } from '../communities/guild-inputs.ts'
import { given } from '../given.ts'
import { readBy } from '../scalars.ts'
import { featureNames } from './bulk-jobs.ts'

const allOperationsDisabled = Object.values(disabledOperationBits).reduce((bits, bit) => bits | bit, 0)

const takenAway = z.null().optional().describe('Null takes the image away.')

/** The body of Update Admin guild. Members that are not sent stay as they are. */
export const adminGuildChanges = z
  .object({
    ...sharedGuildMembers,
    disabled_operations: z
      .int()
      .min(0)
      .max(allOperationsDisabled)
      .optional()
      .describe('Bits of the operations that nobody can use in the guild.'),
    icon: takenAway,
    banner: takenAway,
    splash: takenAway,
    embed_splash: takenAway,
  })
  .transform(({ name, ...body }): AdminGuildChanges & { readonly sentSettings: Readonly<Record<string, string>> } => ({
    name,
    settings: given({
      ...sharedSettings(body),
      disabledOperations: body.disabled_operations,
      icon: body.icon,
      banner: body.banner,
      splash: body.splash,
      embedSplash: body.embed_splash,
    }),
    // As the admin audit log has them.
    sentSettings: Object.fromEntries(Object.entries(given(body)).map(([member, value]) => [member, String(value)])),
  }))

/** The body of Update guild features. One that is both added and removed is removed. */
export const featureChanges = z
  .object({ add_features: featureNames, remove_features: featureNames })
  .transform(({ add_features: add, remove_features: remove }) => ({ add, remove }))

/** The body of Set guild custom invite URL. */
export const newVanityCode = z.object({ code: readBy(parseCustomCode, customCodeLength) })

export const changedGuildReply = z.object({ guild: adminGuildSchema })

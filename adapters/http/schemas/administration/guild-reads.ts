import { z } from 'zod'
import { adminGuildDetailSchema } from '../../../../application/wire-objects/administration/admin-guild-object.ts'

export const foundGuild = z.object({
  guild: adminGuildDetailSchema.nullable().describe('Null for an unknown or deleted guild.'),
})

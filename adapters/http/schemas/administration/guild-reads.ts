import { z } from 'zod'
import {
  adminGuildDetailSchema,
  adminGuildSchema,
} from '../../../../application/wire-objects/administration/admin-guild-object.ts'
import { queryInteger } from '../query-inputs.ts'
import { searchedText } from './searched-text.ts'

const guildsPage_max = 200
const guildsPageDefault = 50
const guildsOffset_max = 10_000

/** The query of List Admin guilds. */
export const wantedGuilds = z
  .object({
    q: searchedText.optional(),
    limit: queryInteger({ min: 1, max: guildsPage_max }, guildsPageDefault),
    offset: queryInteger({ min: 0, max: guildsOffset_max }, 0),
  })
  .transform(({ q, limit, offset }) => ({ text: q ?? '', page: { limit, offset } }))

export const listedGuilds = z.object({
  guilds: z.array(adminGuildSchema).readonly(),
  total: z.int().describe('How many there are on all pages.'),
})

export const foundGuild = z.object({
  guild: adminGuildDetailSchema.nullable().describe('Null for an unknown or deleted guild.'),
})

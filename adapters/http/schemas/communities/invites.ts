import { z } from 'zod'

/** The custom URL of a guild as it is read. */
export const vanityUrl = z
  .object({
    code: z.string().nullable().describe('Null if the guild has none.'),
    uses: z.int().describe('How often it was used.'),
  })
  .meta({ id: 'VanityUrl' })

/** The custom URL that a guild has after a write. */
export const vanityUrlSelection = z
  .object({ code: z.string().nullable().describe('Null if the guild has none.') })
  .meta({ id: 'VanityUrlSelection' })

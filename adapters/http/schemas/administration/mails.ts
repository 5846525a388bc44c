import { z } from 'zod'
import { unsentStates } from '../../../../application/wire-objects/administration/unsent-mail-object.ts'
import { unsentMailSchema } from '../../../../application/wire-objects/administration/unsent-mail-object.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput } from '../scalars.ts'

/** The id of a mail: a bigint of Postgres, beyond which there is none. */
const cursor = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ description: 'What the page before gave as next_after.' })

export const mailsQuery = z
  .object({
    state: z.enum(unsentStates).optional(),
    user_id: accountIdInput.optional().describe('The account that they are about.'),
    after: cursor.optional(),
    limit: queryInteger({ min: 1, max: 200 }, 50),
  })
  .transform(({ state, user_id: accountId, after, limit }) => ({
    state: state ?? null,
    accountId: accountId ?? null,
    after: after ?? null,
    limit,
  }))

export const mailsPage = z
  .object({
    mails: z.array(unsentMailSchema).readonly(),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_after: z.string().nullable(),
  })
  .meta({ id: 'UnsentMailsPage' })

import { z } from 'zod'
import { namedEmoji } from '../../../../domain/messages/reactions.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'
import { snowflakeOutput } from '../../../../application/wire-objects/scalars.ts'
import { headed } from '../../headed-reply.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, channelIdInput, messageIdInput } from '../scalars.ts'

const emojiInput = z
  .string()
  .regex(/^[^]{1,64}$/u)
  .transform(namedEmoji)
  .meta({ description: 'An emoji of Unicode, or `name:id` of a custom one, percent-encoded.' })

export const reactedParams = z.object({ channel_id: channelIdInput, message_id: messageIdInput })
export const emojiParams = reactedParams.extend({ emoji: emojiInput })
export const reactorParams = emojiParams.extend({ user_id: accountIdInput })

/** The query of changes to reactions. */
export const actingSession = z
  .object({
    session_id: z
      .string()
      .regex(/^[^]{1,64}$/u)
      .optional()
      .meta({ description: 'The Gateway session of the caller. In a guild it is not told of the change.' }),
  })
  .transform(({ session_id: sessionId = null }) => sessionId)

/** The query of lists of accounts that reacted. */
export const reactorsQuery = z.object({
  limit: queryInteger({ min: 1, max: 100 }, 25),
  after: accountIdInput.optional(),
})

const users = () => z.array(partialUserSchema).readonly()

/** The accounts alone; the headers say whether there are more. */
export const reactorList = headed(users(), {
  'X-Has-More': '`true` if more follow, else `false`.',
  'X-Next-After': 'If more follow: `after` for the next page.',
})

/** The accounts, and whether there are more. */
export const reactorPage = z.object({
  items: users(),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_after: snowflakeOutput.nullable().describe('If more follow: `after` for the next page.'),
})

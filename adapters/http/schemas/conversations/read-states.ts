import { z } from 'zod'
import type { SentAcknowledgement } from '../../../../application/conversations/read-states/acknowledge.ts'
import { readStateSchema } from '../../../../application/wire-objects/conversations/read-state-objects.ts'
import { channelIdInput, messageIdInput } from '../scalars.ts'

const mentionCount_max = 2_147_483_647
const entries_max = 100

const mentionCount = z
  .int()
  .min(0)
  .max(mentionCount_max)
  .optional()
  .describe('How many mentions stay unread there; 0 by default.')
const manual = z
  .boolean()
  .default(false)
  .describe('Whether the read state goes exactly to the message, backwards too; false by default.')

/** The body of an acknowledgement. */
export const acknowledgement = z
  .object({ mention_count: mentionCount, manual })
  .transform(({ mention_count, manual: isManual }) => ({ mentionCount: mention_count, isManual }))

const place = z.object({ channel_id: channelIdInput, message_id: messageIdInput })

/** Several acknowledgements, each with what it says of mentions. */
export const acknowledgements = z
  .object({
    read_states: z
      .array(
        place
          .extend({ mention_count: mentionCount, manual })
          .transform(
            ({
              channel_id: channelId,
              message_id: messageId,
              mention_count,
              manual: isManual,
            }): SentAcknowledgement => ({
              channelId,
              messageId,
              mentionCount: mention_count,
              isManual,
            }),
          ),
      )
      .min(1)
      .max(entries_max),
  })
  .transform(({ read_states }) => read_states)

/** Several acknowledgements that leave no mention unread. */
export const acknowledgedTogether = z
  .object({
    read_states: z
      .array(
        place.transform(({ channel_id: channelId, message_id: messageId }): SentAcknowledgement => ({
          channelId,
          messageId,
          mentionCount: undefined,
          isManual: false,
        })),
      )
      .min(1)
      .max(entries_max),
  })
  .transform(({ read_states }) => read_states)

export const readStateList = z.object({
  read_states: z.array(readStateSchema).readonly().describe('In the order of the request.'),
})

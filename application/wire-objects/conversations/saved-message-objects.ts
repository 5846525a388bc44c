import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { snowflakeOutput } from '../scalars.ts'
import type { SavedPlace } from '../../ports/saved-messages.ts'
import { messageSchema, type MessageObject } from './message-objects.ts'

/** A message that an account has saved. */
export const savedMessageSchema = wireObject('SavedMessage', {
  id: snowflakeOutput.describe('The id of the message.'),
  channel_id: snowflakeOutput,
  message_id: snowflakeOutput,
  status: z.enum(['available', 'missing_permissions']).describe('Whether the account may read the message now.'),
  message: messageSchema.nullable().describe('Null if the account may not read it.'),
})

export type SavedMessageObject = ObjectOf<typeof savedMessageSchema>

export function savedMessageObject(
  { channelId, messageId }: SavedPlace,
  message: MessageObject | undefined,
): SavedMessageObject {
  return objectOf(savedMessageSchema, {
    id: messageId,
    channel_id: channelId,
    message_id: messageId,
    status: message ? 'available' : 'missing_permissions',
    message: message ?? null,
  })
}

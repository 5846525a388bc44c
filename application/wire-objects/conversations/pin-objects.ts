import { z } from 'zod'
import { wireObject, type ObjectOf } from '../declaration.ts'
import { timestampOutput } from '../scalars.ts'
import { messageSchema } from './message-objects.ts'

/** A page of pinned messages. */
export const pinListSchema = wireObject('PinList', {
  items: z
    .array(z.object({ message: messageSchema, pinned_at: timestampOutput }))
    .readonly()
    .describe('The last pinned first; without the messages that they reply to.'),
  has_more: z.boolean().describe('Whether messages were pinned before the last of these.'),
})

export type PinList = ObjectOf<typeof pinListSchema>

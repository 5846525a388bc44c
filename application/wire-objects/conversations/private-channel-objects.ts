import { z } from 'zod'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { nothingLast, type ChannelLast } from '../../../domain/messages/channel-last.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { partialUserObject, partialUserSchema } from '../identity/user-objects.ts'
import { imageHashOutput, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A direct message, a group, or personal notes. */
export const privateChannelSchema = wireObject('PrivateChannel', {
  id: snowflakeOutput,
  type: z.int().describe('1 a direct message, 3 a group, 999 personal notes.'),
  name: z.string().optional(),
  last_message_id: snowflakeOutput
    .nullable()
    .describe('The newest message; null if there was none. It may be deleted.'),
  last_pin_timestamp: timestampOutput
    .nullable()
    .describe('When a message was last pinned; null for never. It may be unpinned.'),
  recipients: z.array(partialUserSchema).readonly().optional().describe('The others in it.'),
  icon: imageHashOutput.optional(),
  owner_id: snowflakeOutput.nullable().optional().describe('Who owns it.'),
  nicks: z
    .record(z.string(), z.string())
    .optional()
    .describe('What members of the group are called there, by their ids.'),
})

export type PrivateChannelObject = ObjectOf<typeof privateChannelSchema>

/** The parts of a private channel's object. */
export interface PrivateChannelParts {
  readonly channel: PrivateChannel
  /** Gives the record of a recipient; one that is gone looks like a deleted account. */
  readonly account: (id: AccountId) => AccountRecord
  /** Undefined if nobody wrote or pinned in it. */
  readonly last: ChannelLast | undefined
}

/** A private channel as one of its recipients sees it, who is not listed itself. */
export function privateChannelObject(
  { channel, account, last = nothingLast }: PrivateChannelParts,
  viewer: AccountId,
): PrivateChannelObject {
  const { id, kind, recipients, ownerId, name, icon, nicks } = channel
  const others = recipients.filter((recipient) => recipient !== viewer)
  return objectOf(privateChannelSchema, {
    id,
    type: privateChannelTypes[kind],
    ...(kind === 'group' && name !== null ? { name } : {}),
    last_message_id: last.messageId,
    last_pin_timestamp: last.pinnedAt,
    ...(others.length > 0 ? { recipients: others.map((other) => partialUserObject(account(other))) } : {}),
    ...(kind === 'group' ? { icon, owner_id: ownerId } : {}),
    ...(Object.keys(nicks).length > 0 ? { nicks } : {}),
  })
}

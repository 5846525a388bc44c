import { z } from 'zod'
import type { AccountId, MessageId } from '../../../domain/ids/ids.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { adminResolvedUser, adminResolvedUserSchema } from './admin-resolved-user.ts'
import { imageHashOutput, nullableText, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const adminPrivateChannelSchema = wireObject('AdminDirectMessageChannel', {
  channel_id: snowflakeOutput,
  channel_type: z.int().nullable(),
  channel_nsfw: z.boolean().nullable().describe('Null: channels without a guild are not marked.'),
  guild_nsfw_level: z.int().nullable(),
  recipient_ids: z.array(snowflakeOutput).readonly(),
  recipients: z.array(adminResolvedUserSchema).readonly().describe('The others in it.'),
  last_message_id: snowflakeOutput
    .nullable()
    .describe('The newest message; null if there was none. It may be deleted.'),
  is_open: z.boolean().describe('Whether the account has it in its list.'),
  name: nullableText,
  icon: imageHashOutput,
  owner_id: snowflakeOutput.nullable().describe('Who owns it.'),
})

export type AdminPrivateChannelObject = ObjectOf<typeof adminPrivateChannelSchema>

/** The parts of an Admin direct message channel object. */
export interface AdminPrivateChannelParts {
  readonly channel: PrivateChannel
  /** The records of the recipients whose accounts exist. */
  readonly accounts: ReadonlyMap<AccountId, AccountRecord>
  readonly lastMessageId: MessageId | null
}

/** A private channel as administrators see it. The account whose list it is in is one of the recipients. */
export function adminPrivateChannelObject(
  { channel, accounts, lastMessageId }: AdminPrivateChannelParts,
  listedFor: AccountId,
): AdminPrivateChannelObject {
  return objectOf(adminPrivateChannelSchema, {
    channel_id: channel.id,
    channel_type: privateChannelTypes[channel.kind],
    channel_nsfw: false,
    guild_nsfw_level: null,
    recipient_ids: channel.recipients,
    recipients: channel.recipients.flatMap((recipient) => {
      const account = accounts.get(recipient)
      return account ? [adminResolvedUser(account)] : []
    }),
    last_message_id: lastMessageId,
    is_open: !channel.closedFor.includes(listedFor),
    name: channel.name,
    icon: channel.icon,
    owner_id: channel.ownerId,
  })
}

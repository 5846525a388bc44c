import type { AccountId, MessageId } from '../../../domain/ids/ids.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { adminResolvedUser } from './admin-resolved-user.ts'

/** The parts of an Admin direct message channel object. */
export interface AdminPrivateChannelParts {
  readonly channel: PrivateChannel
  /** The records of the recipients whose accounts exist. */
  readonly accounts: ReadonlyMap<AccountId, AccountRecord>
  readonly lastMessageId: MessageId | null
}

export type AdminPrivateChannelObject = ReturnType<typeof adminPrivateChannelObject>

/** A private channel as administrators see it. The account whose list it is in is one of the recipients. */
export function adminPrivateChannelObject(
  { channel, accounts, lastMessageId }: AdminPrivateChannelParts,
  listedFor: AccountId,
) {
  return {
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
  }
}

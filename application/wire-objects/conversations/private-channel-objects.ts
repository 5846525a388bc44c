import type { AccountId, MessageId } from '../../../domain/ids/ids.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { partialUserObject } from '../identity/user-objects.ts'

/** The parts of a private channel's object. */
export interface PrivateChannelParts {
  readonly channel: PrivateChannel
  /** Gives the record of a recipient; one that is gone looks like a deleted account. */
  readonly account: (id: AccountId) => AccountRecord
  readonly lastMessageId: MessageId | null
}

/** A private channel as one of its recipients sees it, who is not listed itself. */
export function privateChannelObject({ channel, account, lastMessageId }: PrivateChannelParts, viewer: AccountId) {
  const { id, kind, recipients, ownerId, name, icon, nicks } = channel
  const others = recipients.filter((recipient) => recipient !== viewer)
  return {
    id,
    type: privateChannelTypes[kind],
    ...(kind === 'group' && name !== null ? { name } : {}),
    last_message_id: lastMessageId,
    last_pin_timestamp: null,
    ...(others.length > 0 ? { recipients: others.map((other) => partialUserObject(account(other))) } : {}),
    ...(kind === 'group' ? { icon, owner_id: ownerId } : {}),
    ...(Object.keys(nicks).length > 0 ? { nicks } : {}),
  }
}

export type PrivateChannelObject = ReturnType<typeof privateChannelObject>

import type { AccountId, ChannelId } from '../ids/ids.ts'

/** The life of a group's channel. It holds no names and nicknames: they are personal, and no decision needs them. */
export type PrivateChannelState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'standing' } & GroupChannel)
  /** `hasMessages`: its messages may not be deleted yet. */
  | { readonly status: 'gone'; readonly channelId: ChannelId; readonly hasMessages: boolean }

export interface GroupChannel {
  readonly channelId: ChannelId
  /** One of the recipients. */
  readonly ownerId: AccountId
  /** At least one; in the order in which they joined. */
  readonly recipients: readonly AccountId[]
  readonly icon: string | null
  /** The request that last changed a name or nickname; null for none. */
  readonly changeId: string | null
}

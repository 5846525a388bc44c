import type { AccountId, ChannelId } from '../ids/ids.js'

/** The life of a group's channel. Names and nicks are not in it: they are personal, and nothing is decided by them. */
export type PrivateChannelState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'standing' } & GroupChannel)
  /** `hasMessages`: what was written in it may still be there. */
  | { readonly status: 'gone'; readonly channelId: ChannelId; readonly hasMessages: boolean }

export interface GroupChannel {
  readonly channelId: ChannelId
  /** One of the recipients. */
  readonly ownerId: AccountId
  /** At least one; the one who came first first. */
  readonly recipients: readonly AccountId[]
  readonly icon: string | null
  /** The request that last changed a name or a nick; null for none. */
  readonly changeId: string | null
}

import type { AccountId, ChannelId } from '../ids/ids.js'

/** The direct messages of two accounts. Once there is a channel there always is. */
export type DirectChannelState = { readonly status: 'absent' } | ({ readonly status: 'opened' } & DirectChannel)

export interface DirectChannel {
  readonly channelId: ChannelId
  /** The one that opened it first, and the other. */
  readonly accounts: readonly [AccountId, AccountId]
  /** For whom it is open now: one, both, or nobody. */
  readonly openFor: readonly AccountId[]
}

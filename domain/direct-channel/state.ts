import type { AccountId, ChannelId } from '../ids/ids.ts'

/** The direct message of two accounts. Once the channel exists, it never ends. */
export type DirectChannelState = { readonly status: 'absent' } | ({ readonly status: 'opened' } & DirectChannel)

export interface DirectChannel {
  readonly channelId: ChannelId
  /** The account that opened it first, and the other. */
  readonly accounts: readonly [AccountId, AccountId]
  /** The accounts that have it open now: one, both, or none. */
  readonly openFor: readonly AccountId[]
}

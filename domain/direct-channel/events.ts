import type { AccountId, ChannelId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to the direct messages of two accounts. Kept forever: members are added, never renamed or reused. */
export type DirectChannelEvent =
  | { readonly type: 'DirectChannelOpened'; readonly data: DirectChannelOpened }
  | { readonly type: 'DirectChannelShown'; readonly data: DirectChannelView }
  | { readonly type: 'DirectChannelHidden'; readonly data: DirectChannelView }

/** Among whose channels it is to be found from now on, or no longer. */
export interface DirectChannelView {
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The other one of the two, who hears nothing of it. */
  readonly otherId: AccountId
}

/** The channel came to be, and is open for the account that opened it. */
export interface DirectChannelOpened extends DirectChannelView {
  readonly openedAt: Timestamp
}

export const directChannelEvents: EventCatalog<DirectChannelEvent> = {
  category: 'direct_channel',
  events: {
    DirectChannelOpened: { version: 1 },
    DirectChannelShown: { version: 1 },
    DirectChannelHidden: { version: 1 },
  },
}

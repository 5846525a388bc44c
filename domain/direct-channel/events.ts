import type { AccountId, ChannelId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of the direct message of two accounts. Kept forever: members are added, never renamed or reused. */
export type DirectChannelEvent =
  | { readonly type: 'DirectChannelOpened'; readonly data: DirectChannelOpened }
  | { readonly type: 'DirectChannelShown'; readonly data: DirectChannelView }
  | { readonly type: 'DirectChannelHidden'; readonly data: DirectChannelView }

/** Whether the account has the channel in its list from now on, or no longer. */
export interface DirectChannelView {
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The other account of the two, which is not notified. */
  readonly otherId: AccountId
}

/** The channel was created, and is open for the account that opened it. */
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

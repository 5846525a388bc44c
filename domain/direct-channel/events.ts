import type { AccountId, ChannelId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

const view = { channelId: 'text', accountId: 'text', otherId: 'text' } as const

/** What can happen to the direct messages of two accounts. Kept forever: members are added, never renamed or reused. */
export const directChannelEvents = {
  DirectChannelOpened: event<DirectChannelOpened>({ ...view, openedAt: 'text' }),
  DirectChannelShown: event<DirectChannelView>(view),
  DirectChannelHidden: event<DirectChannelView>(view),
}

export type DirectChannelEvent = EventOf<typeof directChannelEvents>

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

import type { AccountId, ChannelId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

const view = { channelId: 'text', accountId: 'text', otherId: 'text' } as const

/** The events of the direct message of two accounts. Kept forever: members are added, never renamed or reused. */
export const directChannelEvents = {
  DirectChannelOpened: event<DirectChannelOpened>({ ...view, openedAt: 'text' }),
  DirectChannelShown: event<DirectChannelView>(view),
  DirectChannelHidden: event<DirectChannelView>(view),
}

export type DirectChannelEvent = EventOf<typeof directChannelEvents>

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

import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import type { PinList } from '../../wire-objects/conversations/pin-objects.ts'
import { messageViews } from '../messages/message-views.ts'
import { historyOf, requireTextChannel, type TextChannelNeeds } from '../messages/text-places.ts'

export interface PinsPage {
  /** Only messages that were pinned before. */
  readonly before?: Timestamp
  /** 1-50. */
  readonly limit: number
}

/**
 * A page of a channel's pinned messages, the last pinned first; without READ_MESSAGE_HISTORY only those since the
 * guild's message_history_cutoff, and none without a cutoff. Refuses as `requireTextChannel` does (rules/messages#pins).
 */
export function listPins(ports: TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'reactions'>) {
  return async (caller: Caller, channelId: ChannelId, { before, limit }: PinsPage): Promise<PinList> => {
    const place = await requireTextChannel(ports, caller, channelId)
    const history = historyOf(place)
    if (history === 'nothing') return { items: [], has_more: false }
    const page = { ...(before === undefined ? {} : { before }), ...(history === 'all' ? {} : { from: history }) }
    const found = await ports.messages.pins(channelId, { ...page, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const views = await messageViews(ports, caller, shown, { mayShow: () => false })
    const items = views.flatMap(({ referenced_message: _, reactions: __, ...message }, index) => {
      const pinnedAt = shown[index]?.pinnedAt
      return pinnedAt ? [{ message, pinned_at: pinnedAt }] : []
    })
    return { items, has_more: found.length > limit }
  }
}

const listed_max = 50

/** The messages alone that were pinned last. Refuses as `listPins` does. */
export function listPinnedMessages(ports: Parameters<typeof listPins>[0]) {
  return async (caller: Caller, channelId: ChannelId): Promise<readonly MessageObject[]> => {
    const { items } = await listPins(ports)(caller, channelId, { limit: listed_max })
    return items.map(({ message }) => message)
  }
}

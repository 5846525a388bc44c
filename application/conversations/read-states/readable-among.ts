import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { Refused } from '../../commands/refused.ts'
import type { Message, MessageReference } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { needsThreadAccess, type MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import { messageViews } from '../messages/message-views.ts'
import { isReadable } from '../messages/rules/readable-message.ts'
import { requireTextChannel, type TextChannelNeeds, type TextPlace } from '../messages/text-places.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'reactions'>

/** The objects of those of some messages, at most 100, that exist and that the caller may read now, by their ids. */
export async function readableAmong(
  ports: Needs,
  caller: Caller,
  references: readonly Pick<MessageReference, 'channelId' | 'messageId'>[],
): Promise<ReadonlyMap<MessageId, MessageObject>> {
  if (references.length === 0) return new Map()
  const channels = [...new Set(references.map(({ channelId }) => channelId))]
  const places = new Map(
    await Promise.all(channels.map(async (id) => [id, await placeFor(ports, caller, id)] as const)),
  )
  const viewer = viewerOf(caller)
  const mayRead = (message: Pick<Message, 'id' | 'channelId'>): boolean => {
    const place = places.get(message.channelId)
    return place !== undefined && isReadable(place, message)
  }
  const found = await ports.messages.findMany(references.filter(({ channelId }) => places.get(channelId) !== undefined))
  const read = found.filter((message) => mayRead(message) && (viewer.threadAccess || !needsThreadAccess(message)))
  const views = await messageViews(ports, caller, read, { mayShow: mayRead })
  return new Map(views.flatMap((view, index) => (read[index] ? [[read[index].id, view] as const] : [])))
}

/** The place, if the caller may read there. */
async function placeFor(ports: Needs, caller: Caller, id: ChannelId): Promise<TextPlace | undefined> {
  try {
    return await requireTextChannel(ports, caller, id)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return undefined
  }
}

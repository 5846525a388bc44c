import type { AccountId, BackgroundJobId, ChannelId } from '../../../domain/ids/ids.ts'
import { placesOfChannels } from '../../conversations/messages/places-of-channels.ts'
import type { PlacedMessage, ShredBatch } from '../../ports/author-messages.ts'
import type { Ports } from '../../ports.ts'

export type ShredNeeds = Pick<Ports, 'authorMessages' | 'queries'>

/** The most messages that one MESSAGE_DELETE_BULK names. */
const batch_max = 100

/**
 * Deletes an author's messages for a job, in batches of one channel. Each batch notifies at once. A message that is gone is
 * skipped. The messages come sorted by channel and id.
 */
export async function shredFound(
  ports: ShredNeeds,
  { jobId, authorId }: { readonly jobId: BackgroundJobId; readonly authorId: AccountId },
  found: readonly PlacedMessage[],
): Promise<void> {
  if (found.length === 0) return
  const places = await placesOfChannels(ports, authorId, found)
  for (const { channelId, ids } of batchesOf(found)) {
    const place = places.get(channelId)
    await ports.authorMessages.shred({ jobId, authorId, channelId, ids, audience: place ?? null })
  }
}

function batchesOf(found: readonly PlacedMessage[]): readonly Pick<ShredBatch, 'channelId' | 'ids'>[] {
  const batches: { readonly channelId: ChannelId; readonly ids: PlacedMessage['messageId'][] }[] = []
  for (const { channelId, messageId } of found) {
    const last = batches.at(-1)
    if (last?.channelId === channelId && last.ids.length < batch_max) last.ids.push(messageId)
    else batches.push({ channelId, ids: [messageId] })
  }
  return batches
}

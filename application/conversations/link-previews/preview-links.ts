import type { Embed } from '../../../domain/messages/embeds.ts'
import { linksIn } from '../../../domain/messages/links.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import type { JobPayloads } from '../../ports/jobs.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { audienceOf, type TextPlace } from '../messages/text-places.ts'

/**
 * Has the links of a message previewed by a worker, if the instance does that, the author may embed links there, and the message has
 * no embeds of its own and hides none. See rules/messages#link-previews.
 */
export async function askForPreviews(
  { linkPreviews, jobs }: Pick<Ports, 'linkPreviews' | 'jobs'>,
  place: TextPlace,
  { id, channelId, content, embeds, flags }: Message,
): Promise<void> {
  if (!linkPreviews.isOn || embeds.length > 0 || (flags & messageFlags.SUPPRESS_EMBEDS) !== 0) return
  if (place.kind === 'guild' && !place.can('EMBED_LINKS')) return
  if (linksIn(content).length === 0) return
  const audience = audienceOf(place)
  const recipients = place.kind === 'private' ? place.sharers : audience.recipients
  const wanted = { channelId, messageId: id, audience: { ...audience, recipients } }
  // The message is there: it is not refused for want of a preview.
  await jobs.add('preview_links', wanted).catch(() => undefined)
}

/**
 * Adds the previews of a message's links below it, where it still has the same text and no embeds by then. Previews that are not there
 * are left out.
 */
export function previewLinks({ linkPreviews, messages }: Pick<Ports, 'linkPreviews' | 'messages'>) {
  return async ({ channelId, messageId, audience }: PreviewJob, signal: AbortSignal): Promise<void> => {
    const message = await messages.find(channelId, messageId)
    if (!message || message.embeds.length > 0) return
    const found = await Promise.all(linksIn(message.content).map((url) => linkPreviews.of(url, signal)))
    const embeds = found.filter((preview): preview is Embed => preview !== undefined)
    if (embeds.length === 0) return
    await messages.edit(messageId, { embeds, onlyOver: message.content }, audience)
  }
}

type PreviewJob = JobPayloads['preview_links']

import { channelTypes } from '../../../domain/guild/channel.ts'
import { disabledOperationBits } from '../../../domain/guild/state.ts'
import { attachmentId, messageId, type AccountId, type ChannelId } from '../../../domain/ids/ids.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import { messageFlags, sentFlags } from '../../../domain/messages/message-flags.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { keyedOnce_ms } from '../../conversations/messages/create-message.ts'
import { channelPlace } from '../../conversations/messages/guild-places.ts'
import type { Publication } from '../../ports/copies.ts'
import type { JobPayloads } from '../../ports/jobs.ts'
import type { Message, MessageAudience } from '../../ports/messages.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'
import { areDisabled } from './announcement-channel.ts'
import { withCopiedFiles } from './copied-files.ts'

type Needs = Pick<Ports, 'attachmentFiles' | 'copies' | 'messages' | 'queries'>

const publications_max = 100

/** Delivers a message that was just published, unless that is done. */
export function deliverCopies(ports: Needs) {
  return async ({ messageId: id }: JobPayloads['deliver_copies'], signal: AbortSignal): Promise<void> => {
    const publication = await ports.copies.publication(id)
    if (publication) await deliver(ports, publication, signal)
  }
}

/** Delivers what no job has delivered: its process died before it asked for the job, or there was no room for it. */
export function deliverForgotten(ports: Needs) {
  return async (): Promise<void> => {
    for (const publication of await ports.copies.publications(publications_max)) await deliver(ports, publication)
  }
}

/**
 * Copies a published message into each channel that follows its channel now, once, however often it is repeated. A follower is passed
 * over whose channel takes no messages, or whose creator does not see the announcement channel any more (rules/webhooks#copies).
 */
async function deliver(
  ports: Needs,
  { channelId, messageId: id, publishedAt: at }: Publication,
  signal?: AbortSignal,
): Promise<void> {
  const message = await ports.messages.find(channelId, id)
  if (message) await copyToFollowers(ports, message, at, signal)
  await ports.copies.delivered(id)
}

async function copyToFollowers(ports: Needs, message: Message, at: Timestamp, signal?: AbortSignal): Promise<void> {
  const { id, channelId } = message
  for (const follower of await ports.queries.webhooks.following(channelId)) {
    signal?.throwIfAborted()
    const audience = await placeOfFollower(ports, follower)
    if (!audience || !(await sees(ports, follower.creatorId, channelId))) continue
    const cause = `${id} ${follower.id}`
    const copyId = messageId(derivedSnowflake(at, cause))
    const files = await filesOfCopy(ports, message, audience.channelId, { at, cause })
    await ports.messages.post({
      message: { ...copyOf(message, follower, audience), ...files, id: copyId },
      once_ms: keyedOnce_ms,
      audience,
    })
    await ports.copies.note(id, { channelId: audience.channelId, messageId: copyId })
  }
}

/** Where a follower brings messages; undefined for a channel that takes none. */
async function placeOfFollower({ queries }: Needs, { channelId, creatorId }: WebhookRecord) {
  const found = await queries.guilds.findByChannel(channelId, creatorId)
  const channel = found?.guild.channels.find(({ id }) => id === channelId)
  if (!found || channel?.type !== channelTypes.text) return undefined
  const isDisabled = (found.guild.settings.disabledOperations & disabledOperationBits.SEND_MESSAGE) !== 0
  return isDisabled ? undefined : channelPlace(found.guild, channel)
}

/** Whether the account is in the guild of an announcement channel and views it, and the guild has publishing not switched off. */
async function sees({ queries }: Needs, account: AccountId, channelId: ChannelId): Promise<boolean> {
  const found = await queries.guilds.findByChannel(channelId, account)
  const channel = found?.guild.channels.find(({ id }) => id === channelId)
  if (!found?.member || !channel || areDisabled(found.guild)) return false
  return holds(computePermissions(found.guild, found.member, channel.overwrites), 'VIEW_CHANNEL')
}

/** The copy names nobody, whatever its text says. */
function copyOf(message: Message, { id, name, avatar }: WebhookRecord, { channelId, guildId }: MessageAudience) {
  const { content, flags, stickers } = message
  return {
    channelId,
    guildId,
    authorId: id as string as AccountId,
    webhook: { name, avatar },
    type: messageTypes.default,
    flags: sentFlags(flags) | messageFlags.IS_CROSSPOST,
    content,
    editedAt: null,
    tts: false,
    mentions: [],
    mentionRoles: [],
    mentionsEveryone: false,
    mentionsHere: false,
    snapshots: [],
    stickers,
    pinnedAt: null,
    reference: { channelId: message.channelId, messageId: message.id, guildId: message.guildId },
  }
}

/** The embeds and files of a copy, with files of its own. */
async function filesOfCopy(
  ports: Needs,
  message: Message,
  channelId: ChannelId,
  { at, cause }: { readonly at: Timestamp; readonly cause: string },
): Promise<Pick<Message, 'embeds' | 'attachments'>> {
  const newId = ({ id }: Attachment) => attachmentId(derivedSnowflake(at, `${cause} ${id}`))
  if (filesOf(message).length === 0) return { embeds: message.embeds, attachments: [] }
  return withCopiedFiles(ports, message, channelId, newId)
}

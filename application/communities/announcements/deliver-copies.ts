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
import type { Membership } from '../../../domain/membership/state.ts'
import type { Publication } from '../../ports/copies.ts'
import type { JobPayloads } from '../../ports/jobs.ts'
import type { Message, MessageAudience } from '../../ports/messages.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'
import { areDisabled } from './announcement-channel.ts'
import { withCopiedFiles } from './copied-files.ts'
import { eachByItself, throwAll } from './each-by-itself.ts'
import { misfitOf, type ChannelInGuild } from './fitting-target.ts'
import { iconOf } from './follower-image.ts'

type Needs = Pick<Ports, 'attachmentFiles' | 'copies' | 'images' | 'messages' | 'queries'>

const publications_max = 100

/** Delivers a message that was just published, unless that is done or put off. */
export function deliverCopies(ports: Needs) {
  return async ({ messageId: id }: JobPayloads['deliver_copies'], signal: AbortSignal): Promise<void> => {
    const publication = await ports.copies.publication(id)
    if (publication) throwAll(await deliver(ports, publication, signal))
  }
}

/** Delivers what no job has delivered: its process died before it asked for the job, there was no room for it, or a copy failed. */
export function deliverForgotten(ports: Needs) {
  return async (): Promise<void> => {
    const failures: Error[] = []
    for (const publication of await ports.copies.publications(publications_max))
      failures.push(...(await deliver(ports, publication)))
    throwAll(failures)
  }
}

/**
 * Copies a published message into each channel that follows its channel now, once, however often it is repeated. A follower is passed
 * over whose channel takes no messages or no longer says what the announcement channel says of itself, or whose creator does not see
 * that one any more. A copy that fails keeps no other one back; the publication is put off. Gives the failures (rules/webhooks#copies).
 */
async function deliver(
  ports: Needs,
  { channelId, messageId: id, publishedAt: at }: Publication,
  signal?: AbortSignal,
): Promise<readonly Error[]> {
  const message = await ports.messages.find(channelId, id)
  const followers = message ? await ports.queries.webhooks.following(channelId) : []
  const failures = await eachByItself(followers, async (follower) => {
    signal?.throwIfAborted()
    if (message) await copyTo(ports, message, follower, at)
  })
  await (failures.length === 0 ? ports.copies.delivered(id) : ports.copies.putOff(id))
  return failures
}

async function copyTo(ports: Needs, message: Message, follower: WebhookRecord, at: Timestamp): Promise<void> {
  const { id, channelId } = message
  const target = await channelOf(ports, follower.channelId, follower.creatorId)
  const source = await channelOf(ports, channelId, follower.creatorId)
  if (!target || !takesMessages(target) || !source || !isSeen(source) || misfitOf(source, target)) return
  const audience = channelPlace(target.guild, target.channel)
  const cause = `${id} ${follower.id}`
  const copyId = messageId(derivedSnowflake(at, cause))
  const files = await filesOfCopy(ports, message, audience.channelId, { at, cause })
  const isAsBefore = source.guild.settings.icon === follower.avatar
  const avatar = isAsBefore ? follower.avatar : await iconOf(ports, source.guild, follower.id)
  await ports.messages.post({
    message: { ...copyOf(message, { ...follower, avatar }, audience), ...files, id: copyId },
    once_ms: keyedOnce_ms,
    audience,
  })
  await ports.copies.note(id, { channelId: audience.channelId, messageId: copyId })
}

interface ReachedChannel extends ChannelInGuild {
  readonly member: Membership | undefined
}

/** A channel, with the membership of an account in its guild; undefined if it is gone. */
async function channelOf({ queries }: Needs, id: ChannelId, account: AccountId): Promise<ReachedChannel | undefined> {
  const found = await queries.guilds.findByChannel(id, account)
  const channel = found?.guild.channels.find((each) => each.id === id)
  return found && channel && { guild: found.guild, channel, member: found.member }
}

function takesMessages({ guild, channel }: ChannelInGuild): boolean {
  const isDisabled = (guild.settings.disabledOperations & disabledOperationBits.SEND_MESSAGE) !== 0
  return channel.type === channelTypes.text && !isDisabled
}

/** Whether the account is in the guild of an announcement channel and views it, and the guild has publishing not switched off. */
function isSeen({ guild, channel, member }: ReachedChannel): boolean {
  if (!member || areDisabled(guild)) return false
  return holds(computePermissions(guild, member, channel.overwrites), 'VIEW_CHANNEL')
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

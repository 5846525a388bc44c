import { lacking } from '../../../domain/permissions/authority.ts'
import { messageId, type ChannelId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { sentFlags } from '../../../domain/messages/message-flags.ts'
import { isReplyable, messageTypes } from '../../../domain/messages/message-types.ts'
import { historyOf, requireTextChannel, audienceOf, type TextPlace, type TextChannelNeeds } from './text-places.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import type { Message, Posted } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { namedBy } from './rules/message-mentions.ts'
import { forwardOf, requireNothingSaid, type Forward } from './forward-message.ts'
import { messageView } from './message-views.ts'
import { requireFilesWithin, requireMayAttach } from './rules/require-files.ts'
import { isUploaded } from '../attachments/sent-attachment.ts'
import { keepFiles, newAttachments, requireClean } from '../attachments/attach-files.ts'
import { namedUploads } from '../attachments/named-uploads.ts'
import { pairFiles } from '../attachments/pair-files.ts'
import { isReadable, requireReadable } from './rules/readable-message.ts'
import { requireForm } from './rules/require-content.ts'
import { requirePlacedFiles } from './rules/require-embeds.ts'
import { requireStickers } from './rules/require-stickers.ts'
import { usableText } from './rules/usable-emojis.ts'
import { requireClaimed, requireMaySend } from './rules/require-may-send.ts'
import { isSlowed } from './rules/slow-mode.ts'
import type { SentMessage, SentReference } from './sent-message.ts'
import { askForPreviews } from '../link-previews/preview-links.ts'

/** How long the store remembers what a request with an Idempotency-Key posted: longer than the key lives. */
export const keyedOnce_ms = 25 * 3_600_000

export type SendingNeeds = TextChannelNeeds &
  Pick<
    Ports,
    | 'attachmentAddresses'
    | 'attachmentFiles'
    | 'blocklistBox'
    | 'jobs'
    | 'linkPreviews'
    | 'locks'
    | 'messages'
    | 'limits'
    | 'reactions'
    | 'uploads'
  >
type Needs = SendingNeeds & Pick<Ports, 'startedSessions'>

/** A message sent by this request, or by an earlier try of it, and its place. */
export interface Sent {
  readonly place: TextPlace
  readonly message: Message
}

/**
 * Sends a message. The same nonce within 5 minutes gives the first message again. Refuses as `requireClaimed`, `requireTextChannel`
 * and `requireMaySend` do, then in this order: as `requireForm` and `requirePlacedFiles` do, for a reply as `repliedMessage`
 * does, for a forward as `requireNothingSaid` and `forwardOf` do, and last 400 SLOWMODE_RATE_LIMITED with the seconds to
 * wait. See rules/messages#send. A message that the same command sent before is not sent again, whatever the rules say by
 * now: 410 GONE if it was deleted (decision 58).
 */
export function createMessage(ports: Needs) {
  const send = sendMessage(ports)
  return async (caller: Caller, channelId: ChannelId, sent: SentMessage): Promise<MessageObject> => {
    const { place, message } = (await send(caller, channelId, sent)) ?? reject('GONE')
    const mayShow = (other: Message): boolean => isReadable(place, other)
    return messageView(ports, caller, message, { nonce: sent.nonce, mayShow })
  }
}

/** The same, but undefined if an earlier try of the same command sent the message and it was deleted. */
export function sendMessage(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, sent: SentMessage): Promise<Sent | undefined> => {
    const id = messageId(caller.context.newId())
    const earlier = caller.context.mayRepeat ? await ports.messages.postedBefore(channelId, id) : undefined
    if (earlier === 'gone') return undefined
    if (!earlier) requireClaimed(caller, channelId)
    const place = await requireTextChannel(ports, caller, channelId)
    if (earlier) return { place, message: earlier }
    await requireMaySend(ports, caller, place, sent)
    return sendIn(ports, caller, place, { ...sent, id, tts: sent.tts && place.can('SEND_TTS_MESSAGES') })
  }
}

/**
 * A message that is about to be sent. `webhook`: gives how its author is shown, if that is a webhook. `hasForeignEmbeds`: whether another
 * service wrote the embeds, which are bound in number alone.
 */
type Outgoing = SentMessage &
  Pick<Message, 'id'> & {
    readonly webhook?: () => Promise<NonNullable<Message['webhook']>>
    readonly hasForeignEmbeds?: boolean
  }

/**
 * Sends a message in a place where the caller may write. Refuses as `requireForm` does and as is said after it at `createMessage`, and
 * with RESOURCE_LOCKED while others hold the lock on its nonce. Undefined if an earlier try of the same command sent the message and
 * it was deleted.
 */
export async function sendIn(
  ports: SendingNeeds,
  caller: Caller,
  place: TextPlace,
  sent: Outgoing,
): Promise<Sent | undefined> {
  if (sent.reference?.forwarded) requireNothingSaid(sent)
  else {
    const files = [...(sent.files ?? []), ...sent.attachments.filter(isUploaded)]
    await requireForm(ports, caller, place, { ...sent, files })
  }
  if (!isOfSpentOnce(sent)) return sendChecked(ports, caller, place, sent)
  // Of two tries at once, the second would find the upload spent, but the message not yet there.
  const turn = `nonce ${sent.nonce} of account ${caller.account.id} in channel ${place.channelId}`
  const done = await ports.locks.holding(turn, async () => {
    const first = await firstTry(ports, caller, place, sent)
    return first ? { place, message: first } : sendChecked(ports, caller, place, sent)
  })
  return (done ?? reject('RESOURCE_LOCKED')).result
}

/** Sends a message whose form is right. */
async function sendChecked(
  ports: SendingNeeds,
  caller: Caller,
  place: TextPlace,
  sent: Outgoing,
): Promise<Sent | undefined> {
  const uploaded = await namedUploads(ports, caller, place.channelId, sent.attachments)
  const described = pairFiles(sent, uploaded)
  await requireFilesWithin(ports, caller, place, { ...sent, described })
  requireMayAttach(place, described)
  const stickers = await requireStickers(ports, caller, place, sent.stickerIds)
  const made = await newAttachments(ports, caller, described)
  const placed = requirePlacedFiles(
    sent.embeds,
    made.map(({ attachment }) => attachment),
  )
  const forward = await forwardOf(ports, caller, place, sent.reference, { fromHereAlone: sent.webhook !== undefined })
  const replied = sent.reference && !forward ? await repliedMessage(ports, place, sent.reference) : null
  const content = await usableText(ports, caller, place, sent.content)
  const webhook = await sent.webhook?.()
  const written = { ...sent, ...placed, webhook, stickers, content }
  const message = await writtenMessage(ports, caller, place, written, { replied, forward })
  await requireClean(ports, made)
  await place.sending.before?.()
  await keepFiles(ports, caller, place.channelId, made)
  await ports.readModels.reached(caller.context.written)
  const posted = await post(ports, caller, place, message, sent.nonce)
  if (posted.outcome === 'gone') return undefined
  // Among simultaneous messages, none waits longer than the slow mode.
  if (posted.outcome === 'slowed') {
    await ports.uploads.giveBack(caller.context.commandId)
    return rejectWith('SLOWMODE_RATE_LIMITED', { retry_after: Math.min(posted.retryAfter_s, place.slowMode_s) })
  }
  if (posted.outcome === 'posted') {
    await place.sending.after?.(posted.message)
    await askForPreviews(ports, place, posted.message)
  }
  return { place, message: posted.message }
}

/** Whether a message has a nonce and names uploads, which its first try spends. The nonce of any other is looked at as it is written. */
function isOfSpentOnce({ nonce, attachments }: SentMessage): boolean {
  return nonce !== null && attachments.some(isUploaded)
}

/** The message that an earlier try with the same nonce sent. */
async function firstTry(
  { messages }: Pick<Ports, 'messages'>,
  { account, context }: Caller,
  { channelId }: TextPlace,
  { nonce }: SentMessage,
): Promise<Message | undefined> {
  return nonce === null ? undefined : messages.sentWith(nonce, { channelId, authorId: account.id }, context.now)
}

/**
 * The message replied to, which the caller must be able to read. Refuses with 403 MISSING_PERMISSIONS if the caller can read no
 * history; 404 UNKNOWN_MESSAGE for a message older than the guild's message_history_cutoff, or not in this channel, whatever
 * channel the reference names; field code
 * GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE for a message of another guild, and CANNOT_REPLY_TO_SYSTEM_MESSAGE for a system message.
 */
async function repliedMessage(ports: SendingNeeds, place: TextPlace, reference: SentReference): Promise<Message> {
  if (historyOf(place) === 'nothing') reject(lacking('READ_MESSAGE_HISTORY'))
  const { messageId: id, guildId } = reference
  const replied = await requireReadable(ports, place, id)
  if (guildId !== null && guildId !== replied.guildId)
    reject('INVALID_FORM_BODY', field('message_reference.guild_id', 'GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE'))
  if (!isReplyable(replied.type))
    reject('INVALID_FORM_BODY', field('message_reference', 'CANNOT_REPLY_TO_SYSTEM_MESSAGE'))
  return replied
}

type Written = Pick<SentMessage, 'content' | 'flags' | 'tts' | 'allowedMentions'> &
  Pick<Message, 'id' | 'embeds' | 'attachments' | 'stickers'> & { readonly webhook: Message['webhook'] | undefined }

async function writtenMessage(
  ports: SendingNeeds,
  { account }: Caller,
  place: TextPlace,
  { id, webhook, content, flags, tts, embeds, attachments, stickers, allowedMentions }: Written,
  { replied, forward }: { readonly replied: Message | null; readonly forward: Forward | undefined },
): Promise<Message> {
  const referenced = forward?.source ?? replied
  const repliedTo = replied?.authorId === account.id ? undefined : replied?.authorId
  return {
    id,
    channelId: place.channelId,
    guildId: place.guildId,
    authorId: account.id,
    ...(webhook && { webhook }),
    type: replied ? messageTypes.reply : messageTypes.default,
    flags: sentFlags(flags),
    content,
    editedAt: null,
    tts,
    ...(await namedBy(ports, place, { content, allowedMentions, repliedTo })),
    embeds,
    attachments,
    stickers,
    snapshots: forward ? [forward.snapshot] : [],
    pinnedAt: null,
    reference: referenced && {
      channelId: referenced.channelId,
      messageId: referenced.id,
      guildId: referenced.guildId,
    },
  }
}

async function post(
  ports: SendingNeeds,
  caller: Caller,
  place: TextPlace,
  message: Message,
  nonce: string | null,
): Promise<Posted> {
  const { account, context } = caller
  const audience = audienceOf(place)
  return ports.messages.post({
    message,
    isReadByAuthor: !account.bot,
    isByBot: account.bot,
    audience: place.kind === 'private' ? { ...audience, recipients: place.sharers } : audience,
    ...(context.isKeyed ? { once_ms: keyedOnce_ms } : {}),
    ...(nonce === null ? {} : { nonce }),
    ...(isSlowed(caller, place) ? { slowMode_s: place.slowMode_s } : {}),
  })
}

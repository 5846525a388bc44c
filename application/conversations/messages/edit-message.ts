import { isDeepStrictEqual } from 'node:util'
import { field } from '../../../domain/kernel/refusal.ts'
import { decideEdit, type EditDecision, type Editor } from '../../../domain/messages/editing.ts'
import { editableFlags, messageFlags } from '../../../domain/messages/message-flags.ts'
import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { AllowedMentions } from '../../../domain/messages/mentions.ts'
import { refusalOf } from '../../../domain/permissions/authority.ts'
import type { SendingNeeds } from './create-message.ts'
import { requireTextChannel, audienceOf, type TextPlace } from './text-places.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import type { Message, Messages } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { namedBy } from './rules/message-mentions.ts'
import { isUploaded } from '../attachments/sent-attachment.ts'
import { keepFiles, requireClean } from '../attachments/attach-files.ts'
import { editedFiles, redescribed, type EditedFiles } from '../attachments/edit-attachments.ts'
import { requireFilesWithin, requireMayAttach } from './rules/require-files.ts'
import { messageView } from './message-views.ts'
import { isReadable, requireMessage, requireReadable } from './rules/readable-message.ts'
import { requireForm, requireSomething } from './rules/require-content.ts'
import { requireMayEmbed } from './rules/require-embeds.ts'
import { usableText } from './rules/usable-emojis.ts'
import { requireMessagesEnabled, requireNotTimedOut } from './rules/require-may-send.ts'
import type { EditedMessage } from './sent-message.ts'
import { askForPreviews } from '../link-previews/preview-links.ts'
import type { Embed } from '../../../domain/messages/embeds.ts'

export type EditingNeeds = SendingNeeds & Pick<Ports, 'allowances'>
type Changes = Parameters<Messages['edit']>[1]

/**
 * Edits a message. Its mentions follow from the new text. Refuses as `requireTextChannel` does, then in this order: 404
 * UNKNOWN_MESSAGE, 400 CANNOT_MODIFY_SYSTEM_WEBHOOK for a system message, 403 CANNOT_EDIT_OTHER_USER_MESSAGE, 400
 * TWO_FACTOR_REQUIRED, 403 MISSING_PERMISSIONS for snapshots; the author with 403 COMMUNICATION_DISABLED, FEATURE_TEMPORARILY_DISABLED, 400 CANNOT_SEND_EMPTY_MESSAGE and the field codes of a
 * text. See rules/messages#edit.
 */
export function editMessage(ports: EditingNeeds) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId, wanted: EditedMessage): Promise<MessageObject> => {
    return editIn(ports, caller, await requireTextChannel(ports, caller, channelId), id, wanted)
  }
}

/** The same in a place that the caller has reached. */
export async function editIn(
  ports: EditingNeeds,
  caller: Caller,
  place: TextPlace,
  id: MessageId,
  sent: EditedMessage,
): Promise<MessageObject> {
  const content = sent.content === undefined ? undefined : await usableText(ports, caller, place, sent.content)
  const wanted = { ...sent, content }
  for (let made: EditedFiles['made'] | undefined; ;) {
    const message = await messageToEdit(ports, caller, place, id)
    const edit = await decided(ports, caller, place, message, { wanted, made })
    if (!made) await requireMayRepublish(ports, caller, message, edit.changes)
    if (!made) {
      await requireClean(ports, edit.made)
      await keepFiles(ports, caller, place.channelId, edit.made)
    }
    ;({ made } = edit)
    const isChanged = Object.keys(edit.changes).length > 0
    const edited = isChanged
      ? await ports.messages.edit(id, overOld(message, edit.changes), audienceOf(place))
      : message
    if (!edited) return reject('UNKNOWN_MESSAGE')
    if (edited === 'overtaken') continue
    if (edited.content !== message.content) await askForPreviews(ports, place, edited)
    return messageView(ports, caller, edited, { mayShow: (other) => isReadable(place, other) })
  }
}

/** Of one published message, by everybody together. */
const republishing = { requests: 3, seconds: 3600 } as const

/** What its author changes in a published message changes its copies: 429 PUBLISHED_MESSAGE_EDIT_RATE_LIMITED beyond few an hour. */
async function requireMayRepublish(
  { allowances }: Pick<Ports, 'allowances'>,
  { account }: Caller,
  { id, authorId, flags }: Message,
  { content, embeds, attachments }: Changes,
): Promise<void> {
  const isPublished = (flags & messageFlags.CROSSPOSTED) !== 0
  const changesText = content !== undefined || embeds !== undefined || attachments !== undefined
  if (!isPublished || !changesText || authorId !== account.id) return
  const left = await allowances.take('edits of published messages', id, republishing)
  if (!left.allowed)
    rejectWith('PUBLISHED_MESSAGE_EDIT_RATE_LIMITED', { global: false, retry_after: left.retryAfterSeconds })
}

/** What the edit changes in the message as it is now. `made`: what an earlier try made of the files of the form. */
async function decided(
  ports: EditingNeeds,
  caller: Caller,
  place: TextPlace,
  message: Message,
  { wanted, made }: { readonly wanted: EditedMessage; readonly made: EditedFiles['made'] | undefined },
): Promise<Pick<EditedFiles, 'made'> & { readonly changes: Changes }> {
  const decision = decideEdit(message, editorOf(caller, place), wanted)
  if (decision.refused !== undefined) return reject(decision.refused)
  const isAuthor = message.authorId === caller.account.id
  requireNoSnapshots(message, wanted, isAuthor)
  requireAnyWish(wanted)
  const files: Pick<EditedFiles, 'made' | 'changes'> = isAuthor
    ? await rewrittenFiles(ports, caller, place, message, { ...wanted, made, flagsAfter: decision.flags })
    : { made: [], changes: wanted.attachments ? { attachments: redescribed(message, wanted.attachments) } : {} }
  const hasNewEmbeds = files.changes.embeds !== undefined && !isDeepStrictEqual(files.changes.embeds, message.embeds)
  const changes = await changesOf(ports, caller, place, { message, decision, wanted, hasNewEmbeds })
  return { made: files.made, changes: { ...changes, ...files.changes } }
}

/**
 * Nobody changes what a forward shows, not even to what it shows: field code MESSAGES_WITH_SNAPSHOTS_CANNOT_BE_EDITED for any edit by
 * its author, 403 MISSING_PERMISSIONS for an edit that names snapshots.
 */
function requireNoSnapshots({ snapshots }: Message, { hasSnapshots }: EditedMessage, isAuthor: boolean): void {
  if (isAuthor && snapshots.length > 0)
    reject('INVALID_FORM_BODY', field('message_snapshots', 'MESSAGES_WITH_SNAPSHOTS_CANNOT_BE_EDITED'))
  if (hasSnapshots) reject('MISSING_PERMISSIONS')
}

/** Embeds and files follow from those that the message had: an edit that another one overtook must not bring them back. */
function overOld({ embeds, attachments }: Message, changes: Changes): Changes {
  const isOfOld = changes.content !== undefined || changes.embeds !== undefined || changes.attachments !== undefined
  return isOfOld ? { ...changes, insteadOf: { embeds, attachments } } : changes
}

/** Authors can find their own messages even without permission to read the history. */
async function messageToEdit(
  ports: EditingNeeds,
  { account }: Caller,
  place: TextPlace,
  id: MessageId,
): Promise<Message> {
  const message = await requireMessage(ports, place, id)
  return message.authorId === account.id ? message : requireReadable(ports, place, id)
}

function editorOf({ account }: Caller, place: TextPlace): Editor {
  if (place.kind === 'private') return { accountId: account.id, managing: 'MISSING_PERMISSIONS' }
  const { guild, actor, overwrites } = place.access
  return { accountId: account.id, managing: refusalOf(guild, actor, 'MANAGE_MESSAGES', overwrites)?.code }
}

interface Rewriting extends EditedMessage {
  readonly made: EditedFiles['made'] | undefined
  /** Undefined if they stay. */
  readonly flagsAfter: number | undefined
}

async function rewrittenFiles(
  ports: EditingNeeds,
  caller: Caller,
  place: TextPlace,
  message: Message,
  { made, flagsAfter: flags = message.flags, ...wanted }: Rewriting,
): Promise<EditedFiles> {
  const { content, embeds, attachments, allowedMentions, files = [] } = wanted
  if (embeds) requireMayEmbed(place, embeds)
  requireNotTimedOut(caller, place)
  requireMessagesEnabled(place)
  await place.sending.check?.()
  const edited = await editedFiles(ports, caller, message, wanted, made)
  const after = { content: content ?? message.content, embeds: embeds ?? message.embeds, allowedMentions }
  await requireForm(ports, caller, place, { ...after, files: edited.all, stickerIds: message.stickers })
  await requireFilesWithin(ports, caller, place, { ...after, flags, described: edited.all })
  requireMayAttach(place, [...files, ...(attachments ?? []).filter(isUploaded)])
  return edited
}

/** An edit that says nothing at all is refused as an empty message. Flags alone are enough, whatever they are. */
function requireAnyWish({ content = '', embeds = [], attachments = [], files = [], flags }: EditedMessage): void {
  if (flags === undefined) requireSomething({ content, embeds, files: [...attachments, ...files] })
}

interface Edit {
  readonly message: Message
  readonly decision: EditDecision
  readonly wanted: EditedMessage
  readonly hasNewEmbeds: boolean
}

async function changesOf(
  ports: EditingNeeds,
  { account, context }: Caller,
  place: TextPlace,
  { message, decision, wanted, hasNewEmbeds }: Edit,
): Promise<Changes> {
  if (decision.refused !== undefined) return {}
  const flagsMask = editableFlags(account.id === message.authorId)
  const flags = {
    ...(decision.flags === undefined ? {} : { flags: decision.flags, flagsMask }),
    ...embedsLeft(message, wanted),
  }
  const { content = message.content } = decision
  const { allowedMentions } = wanted
  const isNewText = decision.content !== undefined
  if (!isNewText && !hasNewEmbeds && allowedMentions === null) return flags
  const text = isNewText ? { content, editedAt: context.now } : {}
  // What a webhook mentions is said once, when it sends the message.
  if (message.webhook) return { ...flags, ...text }
  const repliedTo = await repliedAuthor(ports, message, allowedMentions)
  const { mentions, mentionRoles, mentionsEveryone } = await namedBy(ports, place, {
    content,
    allowedMentions,
    repliedTo,
  })
  return { ...flags, ...text, mentions, mentionRoles, mentionsEveryone }
}

/** The embeds that a new text leaves: the previews of links go with the text that had them. */
function embedsLeft({ content, embeds }: Message, wanted: EditedMessage): Pick<Changes, 'embeds'> {
  const isNewText = wanted.content !== undefined && wanted.content !== content
  return isNewText && wanted.embeds === undefined && embeds.some(isPreview)
    ? { embeds: embeds.filter((embed) => !isPreview(embed)) }
    : {}
}

const isPreview = ({ type }: Embed): boolean => type !== undefined

/**
 * The author of the message that this one replies to, unless it is its own. Without allowed mentions an edit keeps whether the reply
 * mentioned that author.
 */
async function repliedAuthor(
  { messages }: EditingNeeds,
  { authorId, reference, mentions }: Message,
  allowed: AllowedMentions | null,
): Promise<AccountId | undefined> {
  if (!reference) return undefined
  const replied = await messages.find(reference.channelId, reference.messageId)
  if (!replied || replied.authorId === authorId) return undefined
  return allowed !== null || mentions.includes(replied.authorId) ? replied.authorId : undefined
}

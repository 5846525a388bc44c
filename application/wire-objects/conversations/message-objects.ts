import { z } from 'zod'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Message, MessageReference } from '../../ports/messages.ts'
import type { StickerItem } from '../../../domain/messages/parts.ts'
import { sentAt } from '../../../domain/messages/sent-at.ts'
import { messageTypes, type MessageType } from '../../../domain/messages/message-types.ts'
import type { Viewer } from '../communities/guild-objects.ts'
import { attachmentObject, attachmentSchema, type FileAddress } from './attachment-objects.ts'
import { embedObject, embedSchema } from './embed-objects.ts'
import type { ReactionEmoji } from '../../../domain/messages/reactions.ts'
import { reactionsObject, reactionsSchema } from './reaction-objects.ts'
import { type ThreadObject, threadSchema } from './thread-objects.ts'
import { partialUserObject, partialUserSchema, webhookAuthorObject } from '../identity/user-objects.ts'
import { valuesInWords, bitsInWords } from '../registries-in-words.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const messageKinds = valuesInWords(messageTypes)

const referenceSchema = z.object({
  channel_id: snowflakeOutput,
  message_id: snowflakeOutput.optional(),
  guild_id: snowflakeOutput.optional(),
  type: z.int().describe('0 a reply, or the subject of a message of the server; 1 a forward.'),
})

export const stickerItemSchema = z.object({
  id: snowflakeOutput,
  name: z.string(),
  animated: z.boolean().describe('Whether the image moves.'),
  nsfw: z.literal(false).describe('Always false.'),
})

const snapshotSchema = z.object({
  type: z.int().describe(messageKinds),
  flags: z.int().describe(bitsInWords(messageFlags)),
  content: z.string().describe('Empty if the forward takes files or embeds alone.'),
  timestamp: timestampOutput,
  edited_timestamp: timestampOutput.nullable().describe('Null if it was not changed until then.'),
  mentions: z.array(snowflakeOutput).readonly().describe('The accounts that it mentioned, which are in `users`.'),
  mention_roles: z.array(snowflakeOutput).readonly().describe('The roles that it mentioned.'),
  embeds: z.array(embedSchema).readonly(),
  attachments: z.array(attachmentSchema).readonly().describe('Copies of its files, which stay when it is deleted.'),
  stickers: z.array(stickerItemSchema).readonly(),
})

const plainMembers = {
  id: snowflakeOutput,
  channel_id: snowflakeOutput,
  author: partialUserSchema.describe('The account; or the webhook, by the name and image that it had for the message.'),
  webhook_id: snowflakeOutput.optional().describe('Of a message that a webhook posted.'),
  type: z.int().describe(messageKinds),
  flags: z.int().describe(bitsInWords(messageFlags)),
  content: z.string().describe('Text in Markdown. At most 2000 characters, 4000 with premium.'),
  timestamp: timestampOutput,
  edited_timestamp: timestampOutput.nullable().describe('Null if it was never changed.'),
  pinned: z.boolean().describe('Whether it is pinned.'),
  mention_everyone: z.boolean().describe('Whether it notifies everyone.'),
  tts: z.boolean().describe('Whether clients read it aloud.'),
  mentions: z.array(partialUserSchema).readonly().describe('The accounts that it mentions.'),
  mention_roles: z.array(snowflakeOutput).readonly().describe('The roles that it mentions.'),
  embeds: z.array(embedSchema).readonly().describe('Empty while the flag SUPPRESS_EMBEDS is set.'),
  attachments: z.array(attachmentSchema).readonly().describe('Its files, without those that its embeds show.'),
  stickers: z.array(stickerItemSchema).readonly().describe('As they were when it was sent.'),
  reactions: reactionsSchema
    .optional()
    .describe('In the order of the first ones; absent if there are none, and in MESSAGE_CREATE.'),
  message_reference: referenceSchema.optional().describe('The message that it replies to, or forwards.'),
  message_snapshots: z
    .array(snapshotSchema)
    .readonly()
    .optional()
    .describe('Of a forward: the message as it was then, without its author and place. Absent for others.'),
  users: z
    .array(partialUserSchema)
    .readonly()
    .optional()
    .describe('The accounts that a forwarded message mentioned; absent if there are none.'),
}

/** A message. `referenced_message` is the one that it answers. */
export const messageSchema = wireObject('Message', {
  ...plainMembers,
  nonce: z
    .string()
    .optional()
    .describe(
      'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
    ),
  referenced_message: z
    .object(plainMembers)
    .nullable()
    .optional()
    .describe('The message that it replies to; null if that is deleted.'),
  thread: threadSchema.optional(),
})

export type MessageObject = ObjectOf<typeof messageSchema>

/** The parts of a message object. */
export interface MessageParts {
  readonly message: Message
  /** Gives the record of an account in `accountsIn`; one that is gone looks like a deleted account. */
  readonly account: (id: AccountId) => AccountRecord
  /** Gives the addresses of its files. */
  readonly fileAddress: FileAddress
  /** For a reply: the message that it answers, null if that was deleted. Ignored for other messages. */
  readonly referenced?: Message | null
  /** Only when the message is created: in the answer and in its dispatch. */
  readonly nonce?: string | null
  /** Whether the viewer reacted to a message with an emoji. Left out for new messages, which have no reactions. */
  readonly isOwn?: (message: Message, emoji: ReactionEmoji) => boolean
  /** The object of the thread started from the message; shown to viewers with thread access. */
  readonly thread?: ThreadObject | undefined
}

/** HAS_THREAD and FAILED_TO_MENTION_SOME_ROLES_IN_THREAD, which viewers without thread access don't see. */
const threadFlags = (1 << 5) | (1 << 8)

/** A message as a viewer sees it. Parts that are not implemented have their empty form. */
export function messageObject(parts: MessageParts, viewer: Viewer): MessageObject {
  const { message, referenced, nonce, thread } = parts
  return objectOf(messageSchema, {
    ...plainMessage(parts, viewer),
    ...(nonce === undefined || nonce === null ? {} : { nonce }),
    ...(answersAnother(message) && referenced !== undefined
      ? { referenced_message: referenced && plainMessage({ ...parts, message: referenced }, viewer) }
      : {}),
    ...(thread !== undefined && viewer.threadAccess ? { thread } : {}),
  })
}

/** Who a message is from. A webhook looks like a bot of its name. */
function authorOf({ authorId, webhook }: Message, account: MessageParts['account']) {
  if (!webhook) return { author: partialUserObject(account(authorId)) }
  return { author: webhookAuthorObject(authorId, webhook), webhook_id: authorId }
}

/** A message inside another message's object: without the message that it references itself. */
function plainMessage(
  { message, account, fileAddress, isOwn }: Pick<MessageParts, 'message' | 'account' | 'fileAddress' | 'isOwn'>,
  viewer: Viewer,
) {
  const { reference, reactions } = message
  return {
    id: message.id,
    channel_id: message.channelId,
    ...authorOf(message, account),
    type: message.type,
    flags: viewer.threadAccess ? message.flags : message.flags & ~threadFlags,
    content: message.content,
    timestamp: sentAt(message),
    edited_timestamp: message.editedAt,
    pinned: message.pinnedAt !== null,
    mention_everyone: message.mentionsEveryone,
    tts: message.tts,
    mentions: message.mentions.map((id) => partialUserObject(account(id))),
    mention_roles: message.mentionRoles,
    embeds: isSuppressed(message)
      ? []
      : message.embeds.map((embed) =>
          embedObject(embed, (file) => fileAddress({ channelId: message.channelId, ...file })),
        ),
    attachments: message.attachments.map((each) => attachmentObject(each, message.channelId, fileAddress)),
    stickers: message.stickers.map(stickerItem),
    ...(reactions === undefined || isOwn === undefined
      ? {}
      : { reactions: reactionsObject(reactions, (emoji) => isOwn(message, emoji)) }),
    ...(reference === null ? {} : { message_reference: referenceObject(reference, message) }),
    ...snapshotMembers(message, account, fileAddress),
  }
}

/** A sticker in a message. */
export function stickerItem({ id, name, animated }: StickerItem) {
  return { id, name, animated, nsfw: false } as const
}

function snapshotMembers(
  { channelId, snapshots }: Message,
  account: MessageParts['account'],
  fileAddress: FileAddress,
) {
  if (snapshots.length === 0) return {}
  const users = mentionedIn(snapshots).map((id) => partialUserObject(account(id)))
  return {
    message_snapshots: snapshots.map((snapshot) => ({
      type: snapshot.type,
      flags: snapshot.flags,
      content: snapshot.content,
      timestamp: snapshot.sentAt,
      edited_timestamp: snapshot.editedAt,
      mentions: snapshot.mentions,
      mention_roles: snapshot.mentionRoles,
      embeds: snapshot.embeds.map((embed) => embedObject(embed, (file) => fileAddress({ channelId, ...file }))),
      attachments: snapshot.attachments.map((each) => attachmentObject(each, channelId, fileAddress)),
      stickers: (snapshot.stickers ?? []).map(stickerItem),
    })),
    ...(users.length === 0 ? {} : { users }),
  }
}

function mentionedIn(snapshots: Message['snapshots']): readonly AccountId[] {
  return [...new Set(snapshots.flatMap(({ mentions }) => mentions))]
}

function isSuppressed({ flags }: Message): boolean {
  return (flags & messageFlags.SUPPRESS_EMBEDS) !== 0
}

/** Type 0: a reply, or the target of a system message; 1 a forward. */
/** A channel that is followed is referenced without a message. */
function referenceObject({ channelId, messageId, guildId }: MessageReference, { type, snapshots }: Message) {
  return {
    channel_id: channelId,
    ...(type === messageTypes.channelFollowAdd ? {} : { message_id: messageId }),
    ...(guildId === null ? {} : { guild_id: guildId }),
    type: snapshots.length === 0 ? 0 : 1,
  }
}

/** Whether a message shows the one that it references. */
export function answersAnother({ type, reference }: Pick<Message, 'type' | 'reference'>): boolean {
  return reference !== null && (type === messageTypes.reply || type === messageTypes.threadStarter)
}

/** The accounts in the objects of messages: authors and mentioned accounts, also in what is forwarded, each once. */
export function accountsIn(messages: readonly Message[]): readonly AccountId[] {
  return [
    ...new Set(
      messages.flatMap(({ authorId, webhook, mentions, snapshots }) => [
        ...(webhook ? [] : [authorId]),
        ...mentions,
        ...mentionedIn(snapshots),
      ]),
    ),
  ]
}

/** The types that only viewers with thread access see. */
export const typesOfThreads: readonly MessageType[] = [messageTypes.threadCreated, messageTypes.threadStarter]

/** Whether a message has one of these types. */
export function needsThreadAccess({ type }: Pick<Message, 'type'>): boolean {
  return typesOfThreads.includes(type)
}

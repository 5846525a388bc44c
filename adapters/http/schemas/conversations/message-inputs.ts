import { z } from 'zod'
import type { AllowedMentions } from '../../../../domain/messages/mentions.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { normalised } from '../../../../domain/text/normalise.ts'
import { queryInteger } from '../query-inputs.ts'
import { countedLater } from '../lists.ts'
import {
  accountIdInput,
  attachmentIdInput,
  channelIdInput,
  guildIdInput,
  issue,
  messageIdInput,
  orNull,
  roleIdInput,
  stickerIdInput,
  withDefault,
} from '../scalars.ts'
import { attachmentInput } from './attachment-inputs.ts'
import { embedInput, shownEmbeds } from './embed-inputs.ts'
import { wholeInteger } from '../whole-integers.ts'

/** Any invalid body of Create and Modify message is refused with this one fault. */
export const messageDataFault = field('message_data', 'INVALID_MESSAGE_DATA')

/** No limit allows a longer text, and the content filter reads no longer one (UTF-16 units). */
const content_units_max = 8192
/** 1-32 characters. */
const nonce = /^[^]{1,32}$/u
const named_max = 100
/** No limit allows more. */
const embedsRead_max = 10

export const content = z
  .string()
  .max(content_units_max)
  .transform((text) => normalised(text))

const kind = z.enum(['users', 'roles', 'everyone'])

export const allowedMentions = z
  .object({
    parse: withDefault(z.array(kind).max(kind.options.length), []),
    users: withDefault(z.array(accountIdInput).max(named_max), []),
    roles: withDefault(z.array(roleIdInput).max(named_max), []),
    replied_user: withDefault(z.boolean(), true),
  })
  .transform(({ parse, users: accounts, roles, replied_user: repliedUser }): AllowedMentions => ({
    parse,
    accounts,
    roles,
    repliedUser,
  }))

const chosen_max = 10
const forward = 1

/** A reply, type 0, or a forward, type 1, which names the channel of its message too. */
export const reference = z
  .object({
    message_id: messageIdInput,
    channel_id: orNull(channelIdInput),
    guild_id: orNull(guildIdInput),
    type: withDefault(z.literal([0, forward]), 0).meta({ description: '0 a reply, 1 a forward.' }),
    attachment_ids: withDefault(z.array(attachmentIdInput).max(chosen_max), []).meta({
      description: 'Of a forward: the files that it takes. With neither files nor embeds it takes the whole message.',
    }),
    embed_indices: withDefault(z.array(z.int().min(0)).max(chosen_max), []).meta({
      description: 'Of a forward: the embeds that it takes, by their positions from 0.',
    }),
  })
  .transform((given, context) => {
    const { message_id: messageId, channel_id: channelId, guild_id: guildId, type } = given
    if (type !== forward) return { messageId, guildId, forwarded: null }
    if (channelId === null) return issue(context, 'FORWARD_REFERENCE_REQUIRES_CHANNEL_AND_MESSAGE')
    const { attachment_ids: attachmentIds, embed_indices: embedIndices } = given
    return { messageId, guildId, forwarded: { channelId, choice: { attachmentIds, embedIndices } } }
  })

export const flags = z.int().min(0)

const stickers_max = 3
/** The stickers of a message. */
export const stickerIds = withDefault(z.array(stickerIdInput).max(stickers_max), []).meta({
  description: 'Up to three stickers.',
})

/** The field code of what messages cannot have here; the reason says that it is not supported (decision 209). */
const notSupported = { code: messageDataFault.code, reason: 'not_supported' } as const

/** What a message would show, but cannot here. An empty list shows nothing. */
export const notBuilt = z
  .unknown()
  .refine((given) => given === undefined || given === null || (Array.isArray(given) && given.length === 0), {
    params: notSupported,
  })
  .optional()
  .meta({ description: 'Not supported: null or an empty list.' })

/** Members that clients send and that change what readers see. Other unknown members change nothing, and are dropped. */
export const notBuiltMembers = {
  components: notBuilt,
  poll: notBuilt,
  // The older name of one embed. Only webhooks take it.
  embed: notBuilt,
  favorite_meme_id: notBuilt,
  activity: notBuilt,
  shared_client_theme: notBuilt,
}

export const nonceInput = wholeInteger(z.union([z.string().regex(nonce), z.int().min(0).transform(String)]))

/** The same in an edit: the stickers of a message stay as they are. */
export const notBuiltInEdits = { ...notBuiltMembers, sticker_ids: notBuilt }

/** How many a message may have is a limit, which is refused by its own code. */
export const embeds = countedLater(z.array(embedInput), embedsRead_max)

/** The same. */
export const attachments = countedLater(z.array(attachmentInput), embedsRead_max)

/** The body of Create message. */
export const sentMessage = z
  .object({
    ...notBuiltMembers,
    content: withDefault(content, ''),
    embeds: withDefault(embeds, []),
    attachments: withDefault(attachments, []),
    nonce: orNull(nonceInput),
    flags: withDefault(flags, 0),
    tts: withDefault(z.boolean(), false),
    allowed_mentions: orNull(allowedMentions),
    message_reference: orNull(reference),
    sticker_ids: stickerIds,
  })
  .transform(
    ({
      content: text,
      embeds: boxes,
      attachments: described,
      nonce: chosen,
      flags: given,
      tts,
      allowed_mentions: mentions,
      message_reference: replied,
      sticker_ids: stickers,
    }) => ({
      content: text,
      embeds: shownEmbeds(boxes),
      attachments: described,
      nonce: chosen,
      flags: given,
      tts,
      allowedMentions: mentions,
      reference: replied,
      stickerIds: stickers,
    }),
  )

/** What every edit of a message may change. */
export const editedParts = {
  content: content
    .nullable()
    .optional()
    .transform((given) => (given === null ? '' : given)),
  embeds: embeds
    .nullable()
    .optional()
    .transform((given) => (given === null ? [] : given)),
  flags: flags.nullish().transform((given) => given ?? undefined),
  message_snapshots: z.unknown().optional().meta({ description: 'Nobody can change what a forward shows.' }),
}

/** The body of Modify message. A null content counts as an empty text. */
export const editedMessage = z
  .object({
    ...notBuiltInEdits,
    attachments: attachments
      .nullable()
      .optional()
      .transform((given) => (given === null ? [] : given)),
    ...editedParts,
    allowed_mentions: orNull(allowedMentions),
  })
  .transform(
    ({
      content: text,
      embeds: boxes,
      attachments: kept,
      flags: wanted,
      allowed_mentions: mentions,
      message_snapshots: snapshots,
    }) => ({
      content: text,
      embeds: boxes && shownEmbeds(boxes),
      attachments: kept,
      flags: wanted,
      allowedMentions: mentions,
      hasSnapshots: snapshots !== undefined && snapshots !== null,
    }),
  )

const page_max = 100
const pageDefault = 50
const cursors = ['before', 'after', 'around'] as const

/** The query of a list of messages: at most one cursor. */
export const messagesPage = z
  .object({
    before: messageIdInput.optional(),
    after: messageIdInput.optional(),
    around: messageIdInput.optional(),
    limit: queryInteger({ min: 1, max: page_max }, pageDefault),
  })
  .superRefine((query, context) => {
    const [first, ...others] = cursors.filter((cursor) => query[cursor] !== undefined)
    if (first === undefined || others.length === 0) return
    const code = 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'
    context.addIssue({ code: 'custom', path: [first], message: code, params: { code } })
  })
  .transform(({ before, after, around, limit }) => ({
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(around === undefined ? {} : { around }),
    limit,
  }))

const bulk_max = 100
const ids = countedLater(z.array(messageIdInput), bulk_max).nullish()

/** The body of a bulk deletion; `messages` is another name of `message_ids`. */
export const bulkDeletion = z.object({ message_ids: ids, messages: ids }).transform((given, context) => {
  const asked = given.message_ids ?? given.messages ?? []
  const code =
    asked.length === 0
      ? 'MESSAGE_IDS_CANNOT_BE_EMPTY'
      : asked.length > bulk_max
        ? 'CANNOT_DELETE_MORE_THAN_100_MESSAGES'
        : undefined
  if (code !== undefined) context.addIssue({ code: 'custom', path: ['message_ids'], message: code, params: { code } })
  return asked
})

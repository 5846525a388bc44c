import { z } from 'zod'
import type { ExecutedMessage } from '../../../../application/communities/webhooks/by-token/execute-webhook.ts'
import type { SlackMessage } from '../../../../application/communities/webhooks/services/slack-message.ts'
import { parseName, type Length } from '../../../../domain/text/normalise.ts'
import { countedLater } from '../lists.ts'
import { channelIdInput, issue, nameInput, orNull, webhookIdInput, withDefault } from '../scalars.ts'
import { embedInput, shownEmbeds } from './embed-inputs.ts'
import * as inputs from './message-inputs.ts'
import * as threads from './thread-inputs.ts'

const tokenLength = { min: 1, max: 256 } as const

/** The path of every operation by token. */
export const byTokenParams = {
  webhook_id: webhookIdInput,
  token: z.string().min(tokenLength.min).max(tokenLength.max),
}

/** Any other text is no. */
const wait = z
  .string()
  .optional()
  .transform((given) => given === 'true' || given === 'True' || given === '1')
  .meta({ description: 'true, True or 1: the answer is the message.' })

const threadId = channelIdInput.optional().describe('A thread of the channel: the message goes there.')

/** The query of Execute webhook. */
export const executionQuery = z
  .object({ wait, thread_id: threadId })
  .transform(({ wait: waits, thread_id: thread }) => ({ wait: waits, threadId: thread }))

/** The query of the other operations on messages. */
export const threadQuery = z
  .object({ thread_id: threadId })
  .transform(({ thread_id: thread }) => ({ threadId: thread }))

const shownNameLength: Length = { min: 1, max: 80 }
const avatarUrl_units_max = 2048
const { content, embeds, attachments, flags, allowedMentions, reference, nonceInput } = inputs
const { embed: _, ...notBuiltMembers } = inputs.notBuiltMembers
const { embed: _box, ...notBuiltInEdits } = inputs.notBuiltInEdits

/** One embed, or a list of them. */
const boxes = { embed: orNull(embedInput), embeds: orNull(embeds) }
type Boxes = { readonly [Name in keyof typeof boxes]: z.output<(typeof boxes)[Name]> }
const shownBoxes = ({ embed, embeds: list }: Boxes) => shownEmbeds(list ?? (embed === null ? [] : [embed]))

/** The body of Execute webhook. */
export const executedMessage = z
  .object({
    ...notBuiltMembers,
    ...boxes,
    thread_name: orNull(threads.name).describe('A post that the message begins in the forum of the webhook.'),
    applied_tags: withDefault(threads.appliedTags, []).describe('The tags of that post.'),
    content: withDefault(content, ''),
    attachments: withDefault(attachments, []),
    nonce: orNull(nonceInput),
    flags: withDefault(flags, 0),
    tts: withDefault(z.boolean(), false).describe('Has no effect.'),
    allowed_mentions: orNull(allowedMentions).describe('Without it, nobody is mentioned.'),
    message_reference: orNull(reference),
    sticker_ids: inputs.stickerIds,
    username: orNull(nameInput(shownNameLength)).describe('What the author is called in this message.'),
    avatar_url: orNull(z.url({ protocol: /^https?$/ }).max(avatarUrl_units_max)).describe(
      'A picture that the author is shown with in this message, where it can be read in time.',
    ),
  })
  .transform((given): ExecutedMessage => ({
    content: given.content,
    embeds: shownBoxes(given),
    attachments: given.attachments,
    nonce: given.nonce,
    flags: given.flags,
    allowedMentions: given.allowed_mentions,
    reference: given.message_reference,
    stickerIds: given.sticker_ids,
    username: given.username,
    avatarUrl: given.avatar_url,
    newPost: given.thread_name === null ? null : { name: given.thread_name, appliedTags: given.applied_tags },
  }))

/** The body of Modify webhook message. A null content counts as an empty text. */
export const editedWebhookMessage = z
  .object({
    ...notBuiltInEdits,
    ...boxes,
    ...inputs.editedParts,
    allowed_mentions: orNull(allowedMentions).describe('Has no effect: the mentions stay.'),
  })
  .transform(({ content: text, embeds: list, embed, flags: wanted, message_snapshots: snapshots }) => ({
    content: text,
    embeds: list === undefined && embed === null ? undefined : shownBoxes({ embed, embeds: list ?? null }),
    flags: wanted,
    hasSnapshots: snapshots !== undefined && snapshots !== null,
  }))

/** Texts of another service are bound by what the content filter reads (UTF-16 units), and not as those of embeds are. */
const foreignText = z.string().max(8192).nullish()
const foreignAttachments_max = 100
const foreignFields_max = 100

const slackField = z.object({
  title: foreignText,
  value: foreignText,
  short: z.boolean().nullish().describe('Whether it may stand beside others.'),
})
const slackAttachment = z
  .object({
    fallback: foreignText,
    pretext: foreignText,
    text: foreignText,
    color: foreignText,
    title: foreignText,
    title_link: foreignText,
    fields: countedLater(z.array(slackField), foreignFields_max).nullish().describe('The first 25 are shown.'),
    footer: foreignText,
    ts: z.union([z.number(), z.string()]).nullish().describe('Seconds since the Unix epoch.'),
    author_name: foreignText,
    author_link: foreignText,
    author_icon: foreignText,
    image_url: foreignText,
    thumb_url: foreignText,
  })
  .meta({ id: 'SlackAttachment', description: 'A box below a message in the form of Slack.' })

const slackName = z
  .string()
  .meta({ minLength: shownNameLength.min, maxLength: shownNameLength.max })
  .transform((given, context): string => {
    const name = parseName(given, shownNameLength)
    return name.ok ? name.value : issue(context, 'WEBHOOK_NAME_LENGTH_INVALID')
  })

/** The body of Execute Slack-compatible webhook. */
export const slackMessage = z
  .object({
    text: withDefault(content, ''),
    username: orNull(slackName),
    icon_url: foreignText.describe('As `avatar_url` of Execute webhook; no address counts as none.'),
    attachments: withDefault(countedLater(z.array(slackAttachment), foreignAttachments_max), []),
  })
  .transform(({ text, username, icon_url: icon, attachments: boxes }): SlackMessage => ({
    text,
    username,
    icon,
    attachments: boxes,
  }))

/** The body of an operation that GitHub or Instatus calls: whatever they send. */
export const foreignPayload = z.unknown()

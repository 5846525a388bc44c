import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { ReportedMessage } from '../../../domain/report/events.ts'
import { context_messages_max, reportedMessage } from '../../communities/reports/report-message.ts'
import { sentAt } from '../../../domain/messages/sent-at.ts'
import type { WholeReport } from '../../ports/queries/report-queries.ts'
import type { Ports } from '../../ports.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import { contextMessage, type ContextMessageObject } from '../../wire-objects/administration/report-object.ts'

const side_messages_max = (context_messages_max - 1) / 2

type ShownMessage = ReportedMessage & { readonly authorId: AccountId }

export type ContextNeeds = Pick<Ports, 'attachmentAddresses' | 'attachmentFiles' | 'messages' | 'queries'>

/** The messages around a reported one, and the reported one as it is now: undefined once it is gone, or if no message was reported. */
export interface MessageContext {
  readonly around: readonly ContextMessageObject[]
  readonly now: ContextMessageObject | undefined
}

/**
 * The messages around the reported one, oldest first, at most 51. Those of the reported account are as they were kept.
 * Those of others are read as they are now: of deleted messages, only those of the reported account are kept. Nothing
 * that was sent after the report is shown. Files have addresses as long as they exist. Decision 89.
 */
export async function messageContext(
  ports: ContextNeeds,
  { reported: { accountId, channel, messageId }, messages: kept, reportedAt }: WholeReport,
  at: Timestamp,
): Promise<MessageContext> {
  const { messages, queries } = ports
  if (!channel || !messageId || !accountId) return { around: [], now: undefined }
  const page = await messages.page(channel.id, { around: messageId, limit: context_messages_max })
  const known = new Map<MessageId, ShownMessage>()
  for (const message of page) {
    if (sentAt(message) > reportedAt) continue
    known.set(message.id, { ...reportedMessage(message), authorId: message.authorId })
  }
  for (const message of kept) known.set(message.id, { ...message, authorId: accountId })
  const all = [...known.values()].toSorted((one, other) => compareSnowflakes(one.id, other.id))
  const earlier = all.filter(({ id }) => compareSnowflakes(id, messageId) < 0).slice(-side_messages_max)
  const later = all.filter(({ id }) => compareSnowflakes(id, messageId) > 0).slice(0, side_messages_max)
  const shown = [...earlier, ...all.filter(({ id }) => id === messageId), ...later]
  const authors = [...new Set(shown.map(({ authorId }) => authorId))]
  const records = authors.length === 0 ? [] : await queries.accounts.findManyAsStored(authors)
  const names = new Map(records.map((account) => [account.id, account]))
  const addressOf = await addressesIn(ports, channel.id, shown, at)
  const objectOf = (message: ShownMessage) =>
    contextMessage(message, channel.id, names.get(message.authorId), addressOf)
  const now = page.find(({ id }) => id === messageId)
  return { around: shown.map(objectOf), now: now && objectOf({ ...reportedMessage(now), authorId: now.authorId }) }
}

/** Gives the addresses of the files that the messages had, as far as those exist; undefined for one that is gone. */
async function addressesIn(
  { attachmentAddresses, attachmentFiles }: ContextNeeds,
  channelId: ChannelId,
  messages: readonly ShownMessage[],
  now: Timestamp,
): Promise<(file: Attachment) => string | undefined> {
  const files = messages.flatMap(({ embeds = [], attachments = [] }) => filesOf({ embeds, attachments }))
  const present = await attachmentFiles.present(channelId, [...new Set(files.map(({ id }) => id))])
  return ({ id, filename }) =>
    present.has(id) ? attachmentAddresses.addressOf({ channelId, id, filename }, now) : undefined
}

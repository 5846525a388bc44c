import { isAgeRestricted } from '../../../domain/guild/channel.ts'
import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { ReportedChannel, ReportedMessage } from '../../../domain/report/events.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { requireTextChannel, type TextChannelNeeds, type TextPlace } from '../../conversations/messages/text-places.ts'
import { isReadable, requireReadable } from '../../conversations/messages/rules/readable-message.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import {
  fileReport,
  hourly,
  requireMayReport,
  type FiledReportObject,
  type ReportAllowance,
  type ReportNeeds,
  type ReportReasons,
} from './file-report.ts'
import { reportedGuild } from './report-guild.ts'
import { unitsOf } from '../../../domain/messages/embeds.ts'

/** The reported message, and as many on both sides of it. */
export const context_messages_max = 51
/** How much text is kept beside the reported message, so that the report is small enough for one append. */
const keptBeside_characters_max = 100_000

type Needs = ReportNeeds & TextChannelNeeds

/**
 * Reports a message that the caller can read. Keeps it as it is now, with the other messages of its author around it.
 * Refuses as `requireMayReport`, `requireTextChannel` and `requireReadable`, with CANNOT_REPORT_OWN_MESSAGE, and beyond
 * the allowances with RATE_LIMITED. See rules/reports#report-a-message.
 */
export function reportMessage(ports: Needs) {
  return async (
    caller: Caller,
    channelId: ChannelId,
    messageId: MessageId,
    reasons: ReportReasons,
  ): Promise<FiledReportObject> => {
    requireMayReport(caller)
    const place = await requireTextChannel(ports, caller, channelId)
    const message = await requireReadable(ports, place, messageId)
    if (message.authorId === caller.account.id) reject('CANNOT_REPORT_OWN_MESSAGE')
    const author = await ports.queries.accounts.find(message.authorId)
    const guild = place.kind === 'guild' ? place.access.guild : null
    return fileReport(ports, caller, {
      ...reasons,
      reported: {
        kind: 'message',
        accountId: message.authorId,
        guild: guild && reportedGuild(guild),
        channel: await reportedChannel(ports, place),
        messageId,
        guildContextId: place.guildId,
        inviteCode: null,
      },
      account: author?.isErased === true ? undefined : author,
      messages: await messagesAround(ports, place, message),
      allowances: allowancesOf(caller, place, messageId),
    })
  }
}

/**
 * A reporter has few reports for one channel and one guild, and all reporters together few for one message
 * (rules/reports#allowances).
 */
function allowancesOf(
  { account: { id } }: Caller,
  { channelId, guildId }: TextPlace,
  messageId: MessageId,
): readonly ReportAllowance[] {
  return [
    { name: 'reports in channel', key: `${id} ${channelId}`, rate: hourly(3) },
    ...(guildId === null ? [] : [{ name: 'reports in guild', key: `${id} ${guildId}`, rate: hourly(4) }]),
    { name: 'reports of message', key: messageId, rate: hourly(20) },
  ]
}

async function reportedChannel({ queries }: Pick<Ports, 'queries'>, place: TextPlace): Promise<ReportedChannel> {
  const { channelId: id } = place
  if (place.kind === 'private') return { id, name: null, nsfw: null }
  const { channel, guild } = place.access
  const name = channel.id === id ? channel.name : ((await queries.threads.find(id))?.name ?? null)
  return { id, name, nsfw: isAgeRestricted(channel, guild) }
}

/** The message, and those of the same author around it that the caller can read, oldest first. */
async function messagesAround(
  { messages }: Pick<Ports, 'messages'>,
  place: TextPlace,
  message: Message,
): Promise<readonly ReportedMessage[]> {
  const page = await messages.page(place.channelId, { around: message.id, limit: context_messages_max })
  const oldestFirst = page.toReversed()
  const middle = oldestFirst.findIndex(({ id }) => id === message.id)
  const others = oldestFirst
    .map((other, index) => ({ other, distance: Math.abs(index - middle) }))
    .filter(({ other }) => other.authorId === message.authorId && other.id !== message.id && isReadable(place, other))
    .toSorted((one, another) => one.distance - another.distance)
  const kept = new Map([[message.id, message]])
  let characters = 0
  for (const { other } of others) {
    const { content, embeds } = other.snapshots[0] ?? other
    characters += content.length + unitsOf(embeds)
    if (characters > keptBeside_characters_max) break
    kept.set(other.id, other)
  }
  return [...oldestFirst, ...(middle < 0 ? [message] : [])].flatMap(({ id }) => {
    const found = kept.get(id)
    return found ? [reportedMessage(found)] : []
  })
}

/** What a report keeps of a message. A forward has what it shows as its own. */
export function reportedMessage({ snapshots: [forwarded], ...message }: Message): ReportedMessage {
  const { id, type, flags, editedAt, reference } = message
  const { content, embeds, attachments, stickers = [] } = forwarded ?? message
  const plain = { id, type, flags, content, editedAt, repliesTo: forwarded ? null : (reference?.messageId ?? null) }
  return {
    ...plain,
    ...(embeds.length > 0 && { embeds }),
    ...(attachments.length > 0 && { attachments }),
    ...(stickers.length > 0 && { stickers }),
  }
}

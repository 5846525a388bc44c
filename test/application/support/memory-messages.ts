import { beforeAll } from '../../../domain/kernel/position.ts'
import { isDeepStrictEqual } from 'node:util'
import type {
  Message,
  MessageNotice,
  MessageNotices,
  MessagePage,
  Messages,
  Posted,
  Posting,
  MessageAudience,
  ThreadTurn,
  UnrecordedDeletion,
} from '../../../application/ports/messages.ts'
import type { AccountNotice } from '../../../application/ports/notices.ts'
import type { Reactions } from '../../../application/ports/reactions.ts'
import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes, snowflakeMs, type Snowflake } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { firstWith, plain, type Kept } from './kept-messages.ts'
import { noticeNumbers, noticesOver } from './memory-notices.ts'
import { memoryReactions } from './memory-reactions.ts'

export interface MemoryMessages {
  readonly messages: Messages
  readonly reactions: Reactions
  readonly notices: MessageNotices
  /** All notices so far. */
  readonly told: readonly MessageNotice[]
  /** Tells an account's sessions of a change that concerns it alone. */
  tellAccount(account: AccountId, channel: ChannelId, notice: AccountNotice): void
  /** Removes a notice that nobody has heard. */
  loseNotice(): void
}

const bulk_max = 100

/**
 * Messages in memory, for tests of use cases. They pass the same contract tests as those in Postgres. `held`: what the read models hold.
 */
export function memoryMessages(held = beforeAll): MemoryMessages {
  const kept = new Map<MessageId, Kept>()
  const paces = new Map<string, Snowflake>()
  const threadPaces = new Map<string, Snowflake>()
  const postedOnce = new Map<string, MessageId>()
  const unrecordedOf = new Map<string, UnrecordedDeletion>()
  const lastPins = new Map<ChannelId, Timestamp>()
  const told: MessageNotice[] = []
  const numbers = noticeNumbers()
  const waiting = new Set<() => void>()
  type Change = MessageNotice extends infer Notice
    ? Notice extends MessageNotice
      ? Omit<Notice, keyof MessageAudience | 'number'>
      : never
    : never
  const tell = (
    { channelId, channelType, guildId, parentId, recipients, after = beforeAll }: MessageAudience,
    change: Change,
  ): void => {
    const place = { channelId, channelType, guildId, parentId, recipients, after: after > held ? after : held }
    told.push({ ...place, number: numbers.next(), ...change })
    for (const wake of waiting) wake()
  }
  const reacted = memoryReactions({ find: (id) => kept.get(id), tell })
  const forget = (id: MessageId): void => {
    kept.delete(id)
    reacted.forget(id)
  }
  const of = (channel: ChannelId): readonly Kept[] =>
    [...kept.values()]
      .filter(({ channelId }) => channelId === channel)
      .map((message) => ({ ...message, ...reacted.groupsOf(message.id) }))
      .toSorted((one, other) => compareSnowflakes(other.id, one.id))
  const postedBefore = (channel: ChannelId, id: MessageId): Message | 'gone' | undefined => {
    const noted = postedOnce.get(`${channel} ${id}`)
    const there = of(channel).find((message) => message.id === (noted ?? id))
    return there ? plain(there) : noted && 'gone'
  }
  const remove: Messages['remove'] = async (ids, { bulk, unrecorded, ...audience }) => {
    const deleted = of(audience.channelId).filter(({ id }) => ids.includes(id))
    for (const { id } of deleted) forget(id)
    if (unrecorded && deleted.length > 0) unrecordedOf.set(unrecorded.entryId, unrecorded)
    if (bulk) tell(audience, { kind: 'deleted_bulk', messageIds: ids })
    else
      for (const { id, authorId, pinnedAt } of deleted) {
        if (pinnedAt !== null) tell(audience, { kind: 'pins', messageId: id })
        tell(audience, { kind: 'deleted', messageId: id, authorId })
      }
    return deleted.map(plain)
  }
  const tellAccount: MemoryMessages['tellAccount'] = (account, channelId, notice) => {
    tell({ channelId, channelType: 999, guildId: null, parentId: null, recipients: [account] }, notice)
  }
  const loseNotice = (): void => {
    numbers.trimmed = numbers.next()
    for (const wake of waiting) wake()
  }
  const messages: Messages = {
    async post(posting) {
      const { message, once_ms, audience } = posting
      const before = once_ms === undefined ? undefined : postedBefore(message.channelId, message.id)
      if (before) return before === 'gone' ? { outcome: 'gone' } : { outcome: 'repeated', message: before }
      const posted = post(kept, paces, posting, () => tell(audience, { kind: 'created', messageId: message.id }))
      if (once_ms !== undefined && 'message' in posted)
        postedOnce.set(`${message.channelId} ${message.id}`, posted.message.id)
      return posted
    },
    postedBefore: async (channel, id) => postedBefore(channel, id),
    sentWith: async (nonce, by, now) => firstWith(kept, nonce, by, msOf(now)),
    takeThreadTurn: async (turn) => waitFor(threadPaces, turn, turn.slowMode_s) / 1000,
    find: async (channel, id) =>
      of(channel)
        .map(plain)
        .find((message) => message.id === id),
    findMany: async (places) =>
      places.flatMap(({ channelId, messageId }) => of(channelId).filter(({ id }) => id === messageId)),
    page: async (channel, page) => pageOf(of(channel).map(plain), page),
    async edit(id, { flags, flagsMask = -1, ...changes }, audience) {
      const before = kept.get(id)
      if (!before || before.channelId !== audience.channelId) return undefined
      const others = before.flags & ~flagsMask
      const edited = { ...before, ...changes, ...(flags !== undefined && { flags: others | (flags & flagsMask) }) }
      if (isDeepStrictEqual(edited, before)) return plain({ ...before, ...reacted.groupsOf(id) })
      kept.set(id, edited)
      tell(audience, { kind: 'updated', messageId: id })
      return plain({ ...edited, ...reacted.groupsOf(id) })
    },
    async pin({ messageId, pinnedAt, said, unrecorded, audience }) {
      const message = kept.get(messageId)
      if (message?.channelId !== audience.channelId || (message.pinnedAt === null) === (pinnedAt === null)) return false
      kept.set(messageId, { ...message, pinnedAt })
      const lastPin = lastPins.get(audience.channelId) ?? ''
      if (pinnedAt !== null && pinnedAt > lastPin) lastPins.set(audience.channelId, pinnedAt)
      tell(audience, { kind: 'updated', messageId })
      tell(audience, { kind: 'pins', messageId })
      if (unrecorded) unrecordedOf.set(unrecorded.entryId, unrecorded)
      if (said) await messages.post({ message: said, audience })
      return true
    },
    pins: async (channel, { before, from, limit }) =>
      of(channel)
        .map(plain)
        .filter(({ id, pinnedAt }) => pinnedAt !== null && (from === undefined || snowflakeMs(id) >= msOf(from)))
        .filter(({ pinnedAt }) => before === undefined || (pinnedAt ?? '') < before)
        .toSorted((one, other) => ((one.pinnedAt ?? '') < (other.pinnedAt ?? '') ? 1 : -1))
        .slice(0, limit),
    remove,
    unrecordedDeletions: async (before, count_max) =>
      [...unrecordedOf.values()]
        .filter(({ at }) => at < before)
        .toSorted((one, other) => (one.at < other.at ? -1 : 1))
        .slice(0, count_max),
    async noteRecorded(entry) {
      unrecordedOf.delete(entry)
    },
    async removeOfAuthor(author, channels, { from, until } = {}) {
      let deleted_count = 0
      const isMeant = (ms: number): boolean =>
        (from === undefined || ms >= msOf(from)) && (until === undefined || ms < msOf(until))
      for (const channel of channels) {
        const doomed = of(channel.channelId)
          .filter(({ id, authorId }) => authorId === author && isMeant(snowflakeMs(id)))
          .map(({ id }) => id)
          .toReversed()
        for (let at = 0; at < doomed.length; at += bulk_max)
          await remove(doomed.slice(at, at + bulk_max), { ...channel, bulk: true })
        deleted_count += doomed.length
      }
      return { deleted_count }
    },
    async removeChannels(channels) {
      for (const { id, channelId } of kept.values()) if (channels.includes(channelId)) forget(id)
    },
    // Whatever comes late finds its channel, here as there.
    keepChannels: async () => undefined,
    // Only Postgres counts.
    talliesOf: async () => new Map(),
    lastOf: async (channels) =>
      new Map(
        channels.flatMap((channel) => {
          const last = { messageId: of(channel)[0]?.id ?? null, pinnedAt: lastPins.get(channel) ?? null }
          return last.messageId === null && last.pinnedAt === null ? [] : [[channel, last] as const]
        }),
      ),
  }
  const notices = noticesOver(told, numbers, waiting)
  return { messages, reactions: reacted.reactions, told, notices, tellAccount, loseNotice }
}

function post(kept: Map<MessageId, Kept>, paces: Map<string, Snowflake>, posting: Posting, tell: () => void): Posted {
  const { message, nonce, slowMode_s = 0 } = posting
  const same = kept.get(message.id)
  const first = same ? plain(same) : nonce !== undefined && firstWith(kept, nonce, message, snowflakeMs(message.id))
  if (first) return { outcome: 'repeated', message: first }
  const wait_ms = slowMode_s > 0 ? waitFor(paces, message, slowMode_s) : 0
  if (wait_ms > 0) return { outcome: 'slowed', retryAfter_s: wait_ms / 1000 }
  kept.set(message.id, { ...message, nonce: nonce ?? null })
  tell()
  return { outcome: 'posted', message }
}

/** Milliseconds until an author's turn; if that is now, takes the turn and returns 0. */
function waitFor(
  paces: Map<string, Snowflake>,
  { id, channelId, authorId }: Omit<ThreadTurn, 'slowMode_s'>,
  slowMode_s: number,
): number {
  const author = `${channelId} ${authorId}`
  const last = paces.get(author)
  const wait_ms = last === undefined || last === id ? 0 : snowflakeMs(last) + slowMode_s * 1000 - snowflakeMs(id)
  if (wait_ms <= 0) paces.set(author, id)
  return Math.max(0, wait_ms)
}

function pageOf(
  newestFirst: readonly Message[],
  { before, after, around, from, without = [], limit }: MessagePage,
): readonly Message[] {
  const shown = newestFirst.filter(
    ({ id, type }) => !without.includes(type) && (from === undefined || snowflakeMs(id) >= msOf(from)),
  )
  const newer = (than: MessageId, count: number) => {
    const all = shown.filter(({ id }) => compareSnowflakes(id, than) > 0)
    return all.slice(Math.max(0, all.length - count))
  }
  if (around !== undefined) {
    const [above, below] = [newer(around, limit), shown.filter(({ id }) => compareSnowflakes(id, around) <= 0)]
    const newer_count = Math.min(above.length, Math.max(Math.floor(limit / 2), limit - below.length))
    return [...above.slice(above.length - newer_count), ...below.slice(0, limit - newer_count)]
  }
  if (after !== undefined) return newer(after, limit)
  return shown.filter(({ id }) => before === undefined || compareSnowflakes(id, before) < 0).slice(0, limit)
}

import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { messageId } from '../../../domain/ids/ids.ts'
import { threadOf, type Thread } from '../../../domain/thread/state.ts'
import type { ChannelAccess } from '../../access/guild-access.ts'
import type { ThreadAccess } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { channelPlace, threadPlace } from '../messages/guild-places.ts'
import { postSystemMessage, type SystemMessage } from '../messages/system/post-system-message.ts'
import { threadStarted } from '../messages/system/said.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import type { Message } from '../../ports/messages.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import type { Ports } from '../../ports.ts'
import { noParts } from '../../../domain/messages/parts.ts'

type Needs = Pick<Ports, 'messages' | 'queries'>

/**
 * Marks the message that a thread was started from, or removes the mark. Does nothing if the message was deleted, or is so
 * already. If the thread was deleted meanwhile, that deletion may have looked for the mark before it was set; then this removes
 * it again.
 */
export async function markStarter(
  { messages, queries }: Needs,
  { guild, channel }: { readonly guild: Pick<Guild, 'id'>; readonly channel: Channel },
  { starterId }: Pick<Thread, 'starterId'>,
  isMarked: boolean,
): Promise<void> {
  const starter = starterId && (await messages.find(channel.id, starterId))
  if (!starter || ((starter.flags & messageFlags.HAS_THREAD) !== 0) === isMarked) return
  const place = channelPlace(guild, channel)
  const mark = (flags: number) => messages.edit(starter.id, { flags, flagsMask: messageFlags.HAS_THREAD }, place)
  await mark(isMarked ? messageFlags.HAS_THREAD : 0)
  if (isMarked && !(await queries.threads.find(threadOf(starter.id)))) await mark(0)
}

/** Announces in the channel a thread that was started without a message: type 18, with the thread's name. */
export async function tellOfNewThread(
  ports: Needs,
  { guild, channel }: ChannelAccess,
  { context }: Pick<Caller, 'context'>,
  thread: Pick<Thread, 'threadId' | 'guildId' | 'ownerId' | 'name'>,
): Promise<void> {
  const place = { ...channelPlace(guild, channel), after: context.written }
  await postSystemMessage(ports, place, threadStarted(thread), context.now)
}

/** Posts a system message in a thread about an act of the caller. */
export async function tellInThread(
  ports: Needs,
  { thread }: ThreadAccess,
  { context }: Pick<Caller, 'context'>,
  said: SystemMessage,
): Promise<void> {
  const place = { ...(await threadPlace(ports, thread)), after: context.written }
  await postSystemMessage(ports, place, said, context.now)
}

/**
 * The message at the beginning of a thread that stands for the one it was started from; undefined for a thread started without a
 * message.
 */
export function starterMessage({ threadId, starterId, parentId, guildId, ownerId }: Thread): Message | undefined {
  if (starterId === null) return undefined
  return {
    id: messageId(threadId),
    channelId: threadId,
    guildId,
    authorId: ownerId,
    type: messageTypes.threadStarter,
    flags: 0,
    content: '',
    editedAt: null,
    tts: false,
    mentionsEveryone: false,
    mentionsHere: false,
    mentions: [],
    mentionRoles: [],
    reference: { channelId: parentId, messageId: starterId, guildId },
    ...noParts,
  }
}

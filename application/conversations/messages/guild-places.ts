import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import { threadTypes } from '../../../domain/thread/state.ts'
import type { MessageAudience } from '../../ports/messages.ts'
import type { ThreadRecord } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries'>

const threadsAtOnce_max = 1000
const membersAtOnce_max = 100

/** All places in a guild that can hold messages: its channels, whatever type they have now, and all their threads. */
export async function placesOf(
  ports: Needs,
  guild: Pick<Guild, 'id' | 'channels'>,
): Promise<readonly MessageAudience[]> {
  const ids = await ports.queries.threads.idsUnder({ guildId: guild.id })
  const places: MessageAudience[] = guild.channels.map((channel) => channelPlace(guild, channel))
  for (let from = 0; from < ids.length; from += threadsAtOnce_max)
    for (const thread of await ports.queries.threads.findMany(ids.slice(from, from + threadsAtOnce_max)))
      places.push(await threadPlace(ports, thread))
  return places
}

/** Who is notified of a channel of a guild: its viewers. */
export function channelPlace(guild: Pick<Guild, 'id'>, { id, type }: Guild['channels'][number]): MessageAudience {
  return { channelId: id, channelType: type, guildId: guild.id, parentId: null, recipients: null }
}

/** Who is notified of a thread: the viewers of its channel; for a private thread, its members. */
export async function threadPlace(
  ports: Needs,
  { threadId, threadType, guildId, parentId }: ThreadRecord,
): Promise<MessageAudience> {
  const isPrivate = threadType === threadTypes.private
  const recipients = isPrivate ? await membersOf(ports, threadId) : null
  return { channelId: threadId, channelType: threadType, guildId, parentId, recipients }
}

async function membersOf({ queries }: Needs, thread: ChannelId): Promise<readonly AccountId[]> {
  const members: AccountId[] = []
  for (;;) {
    const after = members.at(-1)
    const page = await queries.threads.members(thread, { limit: membersAtOnce_max, ...(after ? { after } : {}) })
    members.push(...page.map(({ accountId }) => accountId))
    if (page.length < membersAtOnce_max) return members
  }
}

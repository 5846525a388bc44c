import type { Message } from '../../application/ports/messages.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { channelTypes, type Channel } from '../../domain/guild/channel.ts'
import { messageId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { eachOf } from './pace.ts'
import { lineOf } from './words.ts'
import type { SeededGuild, Seeding } from './seeding.ts'
import { noParts } from '../../domain/messages/parts.ts'

/** Messages under way at once: about as many as there are connections. */
const messagesAtOnce = 8
/** How many messages are made up at once. */
const messagesPerRound = 1000

/** Lets members write in the text channels, over the whole time, each after joining. */
export async function seedMessages(
  seeding: Seeding,
  { guild }: SeededGuild,
  members: readonly AccountId[],
): Promise<void> {
  const { sizes, store, messages, signal, onProgress } = seeding
  const [first, ...others] = guild.channels.filter(({ type }) => type === channelTypes.text)
  if (!first) return
  const after = await store.events.end()
  for (let from = 0; from < sizes.messages_count; from += messagesPerRound) {
    const count = Math.min(messagesPerRound, sizes.messages_count - from)
    const round = Array.from({ length: count }, (_, index) =>
      messageOf(seeding, guild.id, from + index, [first, ...others], members),
    )
    await eachOf(round, { atOnce: messagesAtOnce, signal }, async (message) => {
      await messages.post({ message, audience: audienceOf(message, guild.id, after) })
    })
    onProgress(members.length + from + count)
  }
}

/** The `index`-th message, by one of the members who had joined by then. */
function messageOf(
  { chance, past, sizes }: Seeding,
  guildId: GuildId,
  index: number,
  channels: readonly [Channel, ...Channel[]],
  members: readonly AccountId[],
): Message {
  const share = (index + 1) / (sizes.messages_count + 1)
  const present = Math.max(1, Math.floor(share * members.length))
  const channel = chance.one(channels)
  const authorId = members[chance.below(present)]
  if (authorId === undefined) throw new Error('A guild has an owner')
  return {
    id: messageId(past.idAt(past.at(share))),
    channelId: channel.id,
    guildId,
    authorId,
    type: messageTypes.default,
    flags: 0,
    content: lineOf(chance),
    editedAt: null,
    tts: false,
    mentionsEveryone: false,
    mentionsHere: false,
    mentions: [],
    mentionRoles: [],
    reference: null,
    ...noParts,
  }
}

function audienceOf({ channelId }: Message, guildId: Message['guildId'], after: Position) {
  return { channelId, channelType: channelTypes.text, guildId, parentId: null, recipients: null, after }
}

import { attachmentId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import { editableFlags, messageFlags } from '../../../domain/messages/message-flags.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { channelPlace } from '../../conversations/messages/guild-places.ts'
import type { ChangedSource, MessagePlace } from '../../ports/copies.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { areDisabled } from './announcement-channel.ts'
import { withCopiedFiles } from './copied-files.ts'
import { eachByItself, throwAll } from './each-by-itself.ts'

type Needs = Pick<Ports, 'attachmentFiles' | 'copies' | 'messages' | 'queries'>

const changes_max = 100
const copiesAtOnce_max = 100
/** What stands in copies of a message that is gone. */
const goneText = '[Original message deleted]'

/**
 * Brings the copies of published messages that changed since to what these are now; of one that was deleted, a notice stands in their
 * place, and of one that an administrator removed, they go. A copy that fails keeps no other one back, and its change is put off; the next
 * round begins again where one ends early (rules/webhooks#copies).
 */
export function followSources(ports: Needs) {
  return async (now: Timestamp): Promise<void> => {
    const failures: Error[] = []
    for (const change of await ports.copies.changed(changes_max)) {
      const failed = await followSource(ports, change, now)
      await (failed.length === 0 ? ports.copies.followed(change) : ports.copies.putOffChange(change))
      failures.push(...failed)
    }
    throwAll(failures)
  }
}

async function followSource(ports: Needs, change: ChangedSource, now: Timestamp): Promise<readonly Error[]> {
  if (!change.isRemoved && (await isSwitchedOff(ports, change))) return []
  const failures: Error[] = []
  const source = await ports.messages.find(change.channelId, change.messageId)
  let after: MessagePlace | undefined
  for (;;) {
    const page: readonly MessagePlace[] = await ports.copies.of(change.messageId, { after, limit: copiesAtOnce_max })
    const follow = (copy: MessagePlace) =>
      change.isRemoved ? removeCopy(ports, copy) : followInto(ports, source, copy, now)
    failures.push(...(await eachByItself(page, follow)))
    if (page.length < copiesAtOnce_max) return failures
    after = page.at(-1)
  }
}

async function isSwitchedOff({ queries }: Needs, { channelId }: ChangedSource): Promise<boolean> {
  const [channel] = await queries.guilds.channelNamesOf([channelId])
  const guild = channel && (await queries.guilds.find(channel.guildId))
  return guild !== undefined && areDisabled(guild)
}

async function removeCopy(ports: Needs, { channelId, messageId: id }: MessagePlace): Promise<void> {
  const copy = await ports.messages.find(channelId, id)
  const audience = copy && (await audienceOf(ports, copy))
  if (audience) await ports.messages.remove([id], { ...audience, bulk: false })
}

async function followInto(
  ports: Needs,
  source: Message | undefined,
  place: MessagePlace,
  now: Timestamp,
): Promise<void> {
  const copy = await ports.messages.find(place.channelId, place.messageId)
  const audience = copy && (await audienceOf(ports, copy))
  if (!copy || !audience) return
  const { changes, flags, flagsMask } = source ? await asSource(ports, source, copy, now) : asGone
  await ports.messages.edit(copy.id, { ...changes, flags, flagsMask, editedAt: source?.editedAt ?? now }, audience)
}

/** Nothing of what its author sent is left, flags included. */
const asGone = {
  changes: { content: goneText, embeds: [], attachments: [], stickers: [] },
  flags: messageFlags.SOURCE_MESSAGE_DELETED,
  flagsMask: messageFlags.SOURCE_MESSAGE_DELETED | editableFlags(true),
} as const

/** Its files are copied anew only where they are others than before. */
async function asSource(ports: Needs, source: Message, copy: Message, now: Timestamp) {
  const contents = (message: Message) =>
    filesOf(message).map(({ contentHash, filename }) => `${contentHash} ${filename}`)
  const hasSameFiles =
    contents(source).join() === contents(copy).join() && filesOf(source).length === source.attachments.length
  const isBare = filesOf(source).length === 0
  const files = isBare
    ? { embeds: source.embeds, attachments: [] }
    : hasSameFiles
      ? { embeds: source.embeds }
      : await withCopiedFiles(ports, source, copy.channelId, ({ id }) =>
          attachmentId(snowflake(derivedSnowflake(now, `${copy.id} ${id}`))),
        )
  const { SUPPRESS_EMBEDS } = messageFlags
  return {
    changes: { content: source.content, ...files },
    flags: source.flags & SUPPRESS_EMBEDS,
    flagsMask: SUPPRESS_EMBEDS,
  }
}

async function audienceOf({ queries }: Needs, { guildId, channelId }: Message) {
  const guild = guildId === null ? undefined : await queries.guilds.find(guildId)
  const channel = guild?.channels.find(({ id }) => id === channelId)
  return guild && channel && channelPlace(guild, channel)
}

import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type {
  ArchiveEntry,
  ArchiveFiles,
  Archives,
  ArchiveWork,
  AuthoredMessages,
  BegunArchive,
  PackArchive,
} from '../../ports/archives.ts'
import { archiveSteps } from './archive-steps.ts'
import type { Ports } from '../../ports.ts'
import { archivedAccount, type ArchivedAccount } from './archived-account.ts'
import { archivedGuild, guildMessages, type ArchivedGuild } from './archived-guild.ts'
import {
  archivedExpressionImages,
  archivedGuildImages,
  archivedImages,
  type ReadStoredImage,
} from './archived-images.ts'
import { archivedMessages, type MessageSource, type ReadStoredFile } from './archived-messages.ts'
import { ownMessages } from './own-messages.ts'
import { wantedPlaces } from '../../conversations/messages/wanted-places.ts'

/** What building archives needs. */
export interface ArchiveBuilding {
  readonly ports: Pick<
    Ports,
    | 'accountNotes'
    | 'messages'
    | 'queries'
    | 'reactions'
    | 'readStates'
    | 'savedMessages'
    | 'sessionActivity'
    | 'stores'
  > & {
    readonly aggregates: Pick<Ports['aggregates'], 'account' | 'storePurchase'>
    readonly archives: Pick<Archives, 'removeAllOf'>
  }
  readonly work: ArchiveWork
  readonly files: Pick<ArchiveFiles, 'write' | 'remove' | 'removeTurn'>
  readonly authored: AuthoredMessages
  readonly readImage: ReadStoredImage
  readonly readFile: ReadStoredFile
  readonly pack: PackArchive
  readonly now: () => Timestamp
}

/**
 * Builds the archive that has waited longest, and gives whether there was one. The bytes are read, packed, sealed and stored piece
 * by piece, so memory does not grow with the account or guild. If this process dies, another one begins the archive anew: what it holds is
 * read at that time. With `signal`, the archive is left to another process. Rejects with what made the attempt fail.
 */
export function buildNextArchive(building: ArchiveBuilding) {
  return async (signal: AbortSignal): Promise<boolean> => {
    const archive = await building.work.begin()
    if (!archive) return false
    try {
      await build(building, archive, signal)
    } catch (error) {
      if (error instanceof NotWanted) {
        await building.files.removeTurn(archive)
        return true
      }
      if (signal.aborted) await building.work.release(archive)
      else await building.work.fail(archive)
      if (!signal.aborted) throw error
    }
    return true
  }
}

async function build(building: ArchiveBuilding, archive: BegunArchive, signal: AbortSignal): Promise<void> {
  const { files, work, pack } = building
  // What an earlier turn left: nothing reads it any more.
  await files.remove(archive)
  const contents = await contentsOf(building, archive)
  if (!contents) return giveUp(building, archive)
  const entries = entriesOf(contents, { tell: reporting(building, archive, signal), signal })
  const written = await files.write(archive, checked(pack(entries, archive.requestedAt), signal))
  // The archive was removed meanwhile, or another worker has it: nothing reads the bytes of this turn.
  if (!(await work.complete(archive, written))) await files.removeTurn(archive)
}

/** Ends an archive whose account or guild no longer exists: removes all archives of the account, or records that of the guild as failed. */
async function giveUp({ ports, work }: ArchiveBuilding, archive: BegunArchive): Promise<void> {
  if (archive.subject.type === 'user') await ports.archives.removeAllOf(archive.subject.id)
  else await work.fail(archive, { forGood: true })
}

/** What an archive holds, in this order. */
interface ArchiveContents {
  readonly messages: MessageSource
  readonly records: AsyncIterable<ArchiveEntry>
  readonly images: AsyncIterable<ArchiveEntry>
}

/** Undefined if there is no such account or guild any more. */
async function contentsOf(
  building: ArchiveBuilding,
  { subject, filter, includesAttachments }: BegunArchive,
): Promise<ArchiveContents | undefined> {
  const { ports, authored, readImage } = building
  const files = includesAttachments ? { readFile: building.readFile } : {}
  if (subject.type === 'guild') {
    const archived = await findGuild(building, subject.id)
    return (
      archived && {
        messages: { ...guildMessages(ports, archived), ...files },
        records: archivedGuild(ports, archived),
        images: imagesOfGuild(building, archived.guild),
      }
    )
  }
  const archived = await findAccount(building, subject.id)
  return (
    archived && {
      messages: {
        ...ownMessages(authored, subject.id, filter),
        ...files,
        isWanted: wantedPlaces(ports, subject.id, filter, archived.now),
      },
      records: archivedAccount(ports, archived),
      images: archivedImages(readImage, archived),
    }
  )
}

async function* imagesOfGuild({ ports, readImage }: ArchiveBuilding, guild: Guild): AsyncGenerator<ArchiveEntry> {
  yield* archivedGuildImages(readImage, guild)
  yield* archivedExpressionImages(readImage, guild, await ports.queries.expressions.ofGuild(guild.id))
}

async function findGuild({ ports, now }: ArchiveBuilding, guildId: GuildId): Promise<ArchivedGuild | undefined> {
  const guild = await ports.queries.guilds.find(guildId)
  return guild && { guild, now: now() }
}

/** Undefined for an account that is erased, or being erased: then its archives go as well. */
async function findAccount(
  { ports: { aggregates, queries }, now }: ArchiveBuilding,
  accountId: AccountId,
): Promise<ArchivedAccount | undefined> {
  const { state } = await aggregates.account.load(accountId)
  const account = await queries.accounts.find(accountId)
  if (state.status !== 'registered' || !account) return undefined
  return { account, state, stays: await queries.members.ofAccount(accountId), now: now() }
}

type Tell = (percent: number, step: string) => Promise<void>

/** The most often that progress is recorded within one step. */
const report_ms = 1000

/** Records progress. Throws NotWanted if the archive is gone, or another worker has it. */
function reporting({ work, now }: ArchiveBuilding, archive: BegunArchive, signal: AbortSignal): Tell {
  let last = { percent: -1, at_ms: 0 }
  return async (percent, step) => {
    signal.throwIfAborted()
    const at_ms = msOf(now())
    if (percent === last.percent && at_ms - last.at_ms < report_ms) return
    last = { percent, at_ms }
    if (!(await work.progress(archive, percent, step))) throw new NotWanted()
  }
}

/** How far an archive is when each step begins, in percent. */
const percents = { starting: 0, messages: 5, account: 60, files: 65 }
/** With this many messages, half of the way from one step to the next is done: how many there will be is not known. */
const halfWay_count = 50_000

async function* entriesOf(
  { messages, records, images }: ArchiveContents,
  { tell, signal }: { readonly tell: Tell; readonly signal: AbortSignal },
): AsyncGenerator<ArchiveEntry> {
  await tell(percents.starting, archiveSteps.starting)
  await tell(percents.messages, archiveSteps.messages)
  yield* archivedMessages(messages, { signal, tell: (count) => tell(...afterMessages(count)) })
  await tell(percents.account, archiveSteps.account)
  yield* records
  await tell(percents.files, archiveSteps.files)
  yield* images
}

function afterMessages(count: number): readonly [percent: number, step: string] {
  const share = count / (count + halfWay_count)
  const percent = percents.messages + Math.floor(share * (percents.account - percents.messages))
  return [percent, count === 0 ? archiveSteps.messages : `Harvested ${count} messages`]
}

/** The same bytes, until the signal aborts. */
async function* checked(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    signal.throwIfAborted()
    yield piece
  }
}

/** The archive is gone, or another worker has it. */
class NotWanted extends Error {
  override readonly name = 'NotWanted'
}

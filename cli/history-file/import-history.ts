import type { WrappedKeys } from '../../adapters/personal-data/wrapped-keys.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../application/ports/stored-events.ts'
import { eventText, type Header } from './format.ts'
import { HistoryFileRefused, type Block, type HistoryFile } from './read-history.ts'
import { firstOf } from './write-history.ts'

export interface ImportSettings {
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
  /** Called once, before the first event is written. */
  readonly beforeWriting: () => Promise<void>
  /** Rejects if this program can't read the events. */
  readonly examine: (events: readonly StoredEvent[]) => Promise<void>
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  /** How many events of the file the store held already, and how many are written to it. */
  readonly found: number
  readonly written: number
  readonly keys: number
  /** The position in the file. */
  readonly position: Position
  readonly header: Header
}

/**
 * Imports the events of a file into a store. Events that the store already holds must be the same; the others are added after
 * them, block by block. Rejects with HistoryFileRefused if the file does not continue what the store holds, and with
 * HistoryNotContinued if an event does not come next; nothing of that block, or of later ones, is written.
 */
export async function importHistory(file: HistoryFile, settings: ImportSettings): Promise<ImportProgress> {
  const { stored, keys, signal } = settings
  const { header } = file
  refuseOtherKeys(header, keys)
  const held = await heldAfter(header, stored)
  let newest = await stored.end()
  let progress: ImportProgress = { found: 0, written: 0, keys: 0, position: beforeAll, header }
  for await (const block of file.blocks) {
    signal.throwIfAborted()
    const missing = await missingOf(block.events, held, stored.keepsPositions)
    if (missing.length > 0) {
      await settings.examine(missing)
      if (progress.written === 0) await settings.beforeWriting()
      newest = await stored.append(newest, missing)
    }
    await addKeys(keys, block)
    progress = {
      ...progress,
      found: progress.found + block.events.length - missing.length,
      written: progress.written + missing.length,
      keys: progress.keys + block.keys.length,
      position: block.events.at(-1)?.position ?? progress.position,
    }
    settings.onProgress?.(progress)
  }
  return progress
}

/** Reads a whole file and rejects if any of it could not be imported. Writes nothing. */
export async function checkHistory(
  file: HistoryFile,
  { keys, examine, signal, onProgress }: Pick<ImportSettings, 'keys' | 'examine' | 'signal' | 'onProgress'>,
): Promise<void> {
  const { header } = file
  refuseOtherKeys(header, keys)
  let progress: ImportProgress = { found: 0, written: 0, keys: 0, position: beforeAll, header }
  for await (const block of file.blocks) {
    signal.throwIfAborted()
    await examine(block.events)
    await refuseDifferingKeys(keys, block)
    const position = block.events.at(-1)?.position ?? progress.position
    progress = { ...progress, found: progress.found + block.events.length, position }
    onProgress?.(progress)
  }
}

function refuseOtherKeys(header: Header, { fingerprint }: WrappedKeys): void {
  if (header.keys !== null && header.keys !== fingerprint)
    throw new HistoryFileRefused(
      "The file's keys are wrapped with another PERSONAL_DATA_KEY than this instance has: set PERSONAL_DATA_KEY to that of the instance they come from, or export without keys",
    )
}

async function addKeys(keys: WrappedKeys, block: Block): Promise<void> {
  if (block.keys.length === 0) return
  await refuseDifferingKeys(keys, block)
  await keys.add(block.keys)
}

async function refuseDifferingKeys(keys: WrappedKeys, block: Block): Promise<void> {
  const differing = block.keys.length === 0 ? [] : await keys.differing(block.keys)
  if (differing.length > 0)
    throw new HistoryFileRefused(
      `Account ${differing[0]} has another key here than in the file, as have ${differing.length - 1} others: the file comes from another instance`,
    )
}

/** The store's events after the position where the file begins, one by one. */
async function heldAfter(header: Header, stored: StoredEvents): Promise<AsyncIterator<StoredEvent, undefined>> {
  const end = await stored.end()
  if (end === beforeAll && header.after === null) return eachUpTo(stored, beforeAll, beforeAll)
  const first = await firstOf(stored)
  if (first && first.eventId !== header.source.firstEvent)
    throw new HistoryFileRefused(
      `The file is of another history than this store: it goes back to event ${header.source.firstEvent ?? 'none'}, the store to ${first.eventId}`,
    )
  return eachUpTo(stored, header.after ? await positionOf(header.after, stored) : beforeAll, end)
}

async function positionOf(after: NonNullable<Header['after']>, stored: StoredEvents): Promise<Position> {
  const found = await stored.find(after.stream, after.revision)
  const isThere = found?.eventId === after.id && (!stored.keepsPositions || found.position === after.position)
  if (found && isThere) return found.position
  const end = await stored.end()
  throw new HistoryFileRefused(
    `The file begins after position ${after.position}, which this store does not hold: it ${end === beforeAll ? 'is empty' : `ends at ${end}`}. Import what comes before first`,
  )
}

async function* eachUpTo(stored: StoredEvents, after: Position, end: Position): AsyncGenerator<StoredEvent, undefined> {
  if (after >= end) return undefined
  for await (const page of stored.readAll(after)) {
    for (const event of page) {
      yield event
      // Events from here on were written from the file itself.
      if (event.position >= end) return undefined
    }
  }
  return undefined
}

/** The events of a block that the store lacks. Throws HistoryFileRefused if the store has other events instead. */
async function missingOf(
  events: readonly StoredEvent[],
  held: AsyncIterator<StoredEvent, undefined>,
  keepsPositions: boolean,
): Promise<readonly StoredEvent[]> {
  for (const [index, event] of events.entries()) {
    const { value: other } = await held.next()
    if (!other) return events.slice(index)
    const textOf = (one: StoredEvent): string => eventText(one, keepsPositions ? one.position : null)
    if (textOf(event) !== textOf(other))
      throw new HistoryFileRefused(
        `The file does not continue what this store holds: ${nameOf(event)} in the file is ${nameOf(other)} in the store${differenceOf(event, other)}`,
      )
  }
  return []
}

/** What differs between two versions of one event. */
function differenceOf(event: StoredEvent, other: StoredEvent): string {
  if (event.eventId !== other.eventId) return ''
  return eventText(event, null) === eventText(other, null)
    ? ': the history has moved through a store with positions of its own, so import it into an empty one'
    : ', with other content'
}

const nameOf = ({ position, stream, revision, type }: StoredEvent): string =>
  `${type} at position ${position} (${stream}, revision ${revision})`

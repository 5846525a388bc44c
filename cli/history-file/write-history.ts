import { createHash } from 'node:crypto'
import type { WrappedKeys } from '../../adapters/personal-data/wrapped-keys.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../application/ports/stored-events.ts'
import { blockLines_max, eventText, format, keyText, lineText, version, type Beginning, type Header } from './format.ts'
import { blocksOf } from './lines.ts'

export interface ExportSettings {
  readonly stored: StoredEvents
  /** Events after this position: that of an event, or `beforeAll`. */
  readonly after: Position
  /** The position of the last event. Default: the current end of the store. */
  readonly end?: Position
  /** Keys to include. If absent, none. */
  readonly keys?: WrappedKeys
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ExportProgress) => void
}

export interface ExportProgress {
  readonly events: number
  readonly keys: number
  readonly position: Position
  readonly end: Position
}

/**
 * The text of a history file, piece by piece: the store's events after a position, up to the given or current end, as they are stored. Rejects if no
 * event is at that position, and with the signal's reason when it aborts.
 */
export async function* historyText(settings: ExportSettings): AsyncGenerator<string> {
  const { stored, after, keys, signal, end = await stored.end() } = settings
  const sheet = hashedSheet()
  const done = { events: 0, keys: 0, position: after, end }
  yield sheet.plain(lineText(await headerOf(settings, end)))
  for await (const events of blocksOf(upTo(stored.readAll(after), end), blockLines_max)) {
    signal.throwIfAborted()
    yield sheet.block(events.map((event) => eventText(event)))
    done.events += events.length
    done.position = events.at(-1)?.position ?? done.position
    settings.onProgress?.({ ...done })
  }
  // An account's key exists before its first event, so the keys of the events above are among them.
  for await (const block of blocksOf(keys?.readAll() ?? nothing(), blockLines_max)) {
    signal.throwIfAborted()
    yield sheet.block(block.map(keyText))
    done.keys += block.length
    settings.onProgress?.({ ...done })
  }
  const { events, keys: keyCount, position } = done
  yield sheet.plain(
    lineText({ kind: 'end', events, keys: keyCount, position: orNull(position), sha256: sheet.sha256() }),
  )
}

async function headerOf({ stored, after, keys }: ExportSettings, end: Position): Promise<Header> {
  return {
    kind: 'header',
    format,
    version,
    source: { store: stored.kind, firstEvent: (await firstOf(stored))?.eventId ?? null },
    after: after === beforeAll ? null : await beginningAt(stored, after),
    end: orNull(end),
    keys: keys?.fingerprint ?? null,
  }
}

/** The first event of a store, if there is one. */
export async function firstOf(stored: StoredEvents): Promise<StoredEvent | undefined> {
  for await (const [first] of stored.readAll(beforeAll)) return first
  return undefined
}

async function beginningAt(stored: StoredEvents, position: Position): Promise<Beginning> {
  const event = await stored.at(position)
  if (!event) throw new Error(`No event is at position ${position}: name the last one of an earlier export`)
  return { position, stream: event.stream, revision: event.revision, id: event.eventId }
}

async function* upTo(
  pages: AsyncIterable<readonly StoredEvent[]>,
  end: Position,
): AsyncGenerator<readonly StoredEvent[]> {
  for await (const page of pages) {
    const wanted = page.filter(({ position }) => position <= end)
    yield wanted
    if (wanted.length < page.length) return
  }
}

async function* nothing(): AsyncGenerator<never> {}

const orNull = (position: Position): Position | null => (position === beforeAll ? null : position)

/** Writes lines and keeps the hash of everything written. */
function hashedSheet() {
  const hash = createHash('sha256')
  const sha256 = (): string => hash.copy().digest('hex')
  function plain(line: string): string {
    hash.update(`${line}\n`)
    return `${line}\n`
  }
  return {
    sha256,
    plain,
    block(lines: readonly string[]): string {
      const text = plain(lines.join('\n'))
      return text + plain(lineText({ kind: 'block', lines: lines.length, sha256: sha256() }))
    },
  }
}

import { createHash } from 'node:crypto'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import type { WrappedKeys } from '../../../adapters/personal-data/wrapped-keys.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import { checkHistory, importHistory } from '../../../cli/history-file/import-history.ts'
import { openHistory } from '../../../cli/history-file/read-history.ts'
import { historyText } from '../../../cli/history-file/write-history.ts'

/** Exports and imports within this process: the work of the commands without a process of their own. */

const signal = new AbortController().signal

/** A store, with keys that are included if there are any. */
export interface Ends {
  readonly stored: StoredEvents
  readonly keys?: WrappedKeys
}

export async function exported(from: Ends, after: Position = beforeAll): Promise<string> {
  let file = ''
  for await (const text of historyText({ ...from, after, signal })) file += text
  return file
}

/** The bytes of a file in pieces, up to a number of bytes; then the connection breaks. */
export async function* pieces(file: string, bytes_max = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const size = 10_000
  const bytes = Buffer.from(file)
  for (let start = 0; start < bytes.length; start += size) {
    if (start >= bytes_max) throw new Error('The connection broke')
    yield bytes.subarray(start, start + size)
  }
}

const codec = eventCodec(memoryPersonalDataKeys())
const noKeys: WrappedKeys = {
  fingerprint: '',
  async *readAll() {},
  differing: async () => [],
  add: async () => undefined,
}

export interface Imported {
  readonly found: number
  readonly written: number
}

/** Imports as from standard input: block by block. */
export async function imported(into: Ends, source: string | AsyncIterable<Uint8Array>): Promise<Imported> {
  const chunks = typeof source === 'string' ? pieces(source) : source
  const { found, written } = await importHistory(await openHistory(chunks), { ...settings, ...into })
  return { found, written }
}

/** Checks a file as a named file is checked before any of it is imported. */
export async function checked(file: string): Promise<void> {
  await checkHistory(await openHistory(pieces(file)), settings)
}

const settings = {
  keys: noKeys,
  beforeWriting: async () => undefined,
  examine: async (events: Parameters<typeof codec.decode>[0]) => void (await codec.decode(events)),
  signal,
}

/** A file with changed lines and correct checksums: the best possible forgery. */
export function resealed(
  file: string,
  change: (lines: Record<string, unknown>[]) => Record<string, unknown>[],
): string {
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const hash = createHash('sha256')
  let forged = ''
  for (const line of change(lines)) {
    const isSeal = line['kind'] === 'block' || line['kind'] === 'end'
    const text = `${JSON.stringify(isSeal ? { ...line, sha256: hash.copy().digest('hex') } : line)}\n`
    hash.update(text)
    forged += text
  }
  return forged
}

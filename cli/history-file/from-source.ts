import { addAbortSignal, type Readable } from 'node:stream'
import { eventCodec } from '../../adapters/event-store/codec.ts'
import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.ts'
import type { Standstill } from '../../projections/runner/standstill.ts'
import { forgetPublished } from '../forget-published.ts'
import { forgetSnapshots } from '../forget-snapshots.ts'
import { progressBar, shareOf } from '../progress-bar.ts'
import type { ImportProgress, ImportSettings } from './import-history.ts'
import { openHistory, type HistoryFile } from './read-history.ts'

/**
 * Reads a source until the task has finished with it. Afterwards, a program that still writes to standard input is not left
 * waiting.
 */
export async function readingHistory<Result>(
  source: Readable,
  signal: AbortSignal,
  task: (file: HistoryFile) => Promise<Result>,
): Promise<Result> {
  try {
    return await task(await openHistory(addAbortSignal(signal, source)))
  } finally {
    source.destroy()
  }
}

/** A progress bar for reading a history file. */
export function historyBar(label: string) {
  const bar = progressBar(label)
  const onProgress = ({ found, written, position, header }: ImportProgress): void => {
    const share = shareOf(position, header.after?.position ?? beforeAll, header.end ?? beforeAll)
    bar.show(share, `${found + written} events`)
  }
  return { bar, onProgress }
}

/**
 * Removes what was computed from another history: imported events are history, so no process may project or publish them as news.
 */
export async function forgetDerived(database: PostgresDatabase, standstill: Standstill): Promise<void> {
  await standstill.forgetReadModels()
  await forgetPublished(database)
  await forgetSnapshots(database)
}

/** Reads only what is not personal. This tells whether this program knows the events' types and versions. */
export const withoutKeys: PersonalDataKeys = {
  keysFor: async () => new Map(),
  existingKeys: async () => new Map(),
  destroy: async () => undefined,
}
const codec = eventCodec(withoutKeys)

/** Rejects if this program can't read the events: it does not know their types or versions. */
export const examineEvents: ImportSettings['examine'] = async (events) => void (await codec.decode(events))

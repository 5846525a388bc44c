import { createReadStream } from 'node:fs'
import { atStandstill, type Standstill } from '../../projections/runner/standstill.ts'
import { leftOut } from '../history-file/format.ts'
import { examineEvents, forgetDerived, historyBar, readingHistory } from '../history-file/from-source.ts'
import {
  checkHistory,
  importHistory,
  type ImportProgress,
  type ImportSettings,
} from '../history-file/import-history.ts'
import type { HistoryFile } from '../history-file/read-history.ts'
import { interruptible } from '../interruptible.ts'
import { readModelsFit } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { storedParts } from '../stored-events.ts'
import { besideServer } from './beside.ts'
import { refuseUnreadable } from './usable-file.ts'

/**
 * Imports the events of an export into this instance, after the events that it already holds, which must be the same. A file is
 * checked to its end before anything is written; standard input is checked block by block. Can't run beside a running server,
 * because a projecting server would treat imported events as news. Once events are written, the read models have to be rebuilt.
 */
export async function importCommand(file: string | undefined, say: (line: string) => void): Promise<void> {
  if (file !== undefined) await refuseUnreadable(file)
  const { progress, keepsPositions } = await interruptible((signal) =>
    besideServer(
      (store) => atStandstill(store.database.pool, (standstill) => importInto(store, standstill, signal, file)),
      { makesInstance: true },
    ),
  )
  const { found, written, keys, header } = progress
  say(
    `Imported ${written} events${header.keys === null ? '' : ` and ${keys} keys`}; ${found} events were there already.`,
  )
  if (!keepsPositions && written > 0)
    say('This store assigns its own positions: the order of events is kept, their numbers are not.')
  if (header.keys === null) say('The file has no keys: the personal data of accounts without a key here reads as null.')
  if (written > 0) say('Start a server, or run replay, to rebuild the read models.')
  say(leftOut)
}

async function importInto(store: Store, standstill: Standstill, interrupted: AbortSignal, file: string | undefined) {
  const { stored, keys } = storedParts(store)
  const beforeWriting = (): Promise<void> => forgetDerived(store.database, standstill)
  const settings = {
    stored,
    keys,
    signal: AbortSignal.any([interrupted, standstill.lost]),
    beforeWriting,
    examine: examineEvents,
  } satisfies ImportSettings
  if (file !== undefined) {
    const { bar, onProgress } = historyBar('checking')
    const check = (read: HistoryFile): Promise<void> => checkHistory(read, { ...settings, onProgress })
    await readingHistory(createReadStream(file), settings.signal, check).finally(() => bar.end())
  }
  const { bar, onProgress } = historyBar('importing')
  const source = file === undefined ? process.stdin : createReadStream(file)
  // A file was already checked to its end.
  const examine = file === undefined ? settings.examine : async () => undefined
  const write = (read: HistoryFile): Promise<ImportProgress> =>
    importHistory(read, { ...settings, examine, onProgress })
  const progress = await readingHistory(source, settings.signal, write).finally(() => bar.end())
  // All events may have been there before, with another Postgres, whose read models are not these.
  if (!(await readModelsFit(store))) await beforeWriting()
  return { progress, keepsPositions: stored.keepsPositions }
}

import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { eventCodec } from '../../adapters/event-store/codec.js'
import { beforeAll } from '../../application/ports/event-store.js'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.js'
import { atStandstill, type Standstill } from '../../projections/runner/standstill.js'
import {
  checkHistory,
  importHistory,
  type ImportProgress,
  type ImportSettings,
} from '../history-file/import-history.js'
import { openHistory, type HistoryFile } from '../history-file/read-history.js'
import { forgetPublished } from '../forget-published.js'
import { forgetSnapshots } from '../forget-snapshots.js'
import { interruptible } from '../interruptible.js'
import { progressBar, shareOf } from '../progress-bar.js'
import { readModelsFit } from '../read-models-fit.js'
import type { Store } from '../store.js'
import { storedParts } from '../stored-events.js'
import { besideServer } from './beside.js'
import { refuseUnreadable } from './usable-file.js'

/**
 * Imports the events of an export into this instance, after the events that it already holds, which must be the same. A file is
 * checked to its end before anything is written; standard input is checked block by block. Can't run beside a running server,
 * because a projecting server would treat imported events as news. Once events are written, the read models have to be rebuilt.
 */
export async function importCommand(file: string | undefined, say: (line: string) => void): Promise<void> {
  if (file !== undefined) await refuseUnreadable(file)
  const { progress, keepsPositions } = await interruptible((signal) =>
    besideServer((store) =>
      atStandstill(store.database.pool, (standstill) => importInto(store, standstill, signal, file)),
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
}

async function importInto(store: Store, standstill: Standstill, interrupted: AbortSignal, file: string | undefined) {
  const { stored, keys } = storedParts(store)
  const codec = eventCodec(withoutKeys)
  // Imported events are history: no process may project or publish them as news.
  const beforeWriting = async (): Promise<void> => {
    await standstill.forgetReadModels()
    await forgetPublished(store.database)
    await forgetSnapshots(store.database)
  }
  const settings = {
    stored,
    keys,
    signal: AbortSignal.any([interrupted, standstill.lost]),
    beforeWriting,
    examine: async (events) => void (await codec.decode(events)),
  } satisfies ImportSettings
  if (file !== undefined) {
    const { bar, onProgress } = barOf('checking')
    const check = (read: HistoryFile): Promise<void> => checkHistory(read, { ...settings, onProgress })
    await reading(createReadStream(file), settings.signal, check).finally(() => bar.end())
  }
  const { bar, onProgress } = barOf('importing')
  const source = file === undefined ? process.stdin : createReadStream(file)
  // A file was already checked to its end.
  const examine = file === undefined ? settings.examine : async () => undefined
  const write = (read: HistoryFile): Promise<ImportProgress> =>
    importHistory(read, { ...settings, examine, onProgress })
  const progress = await reading(source, settings.signal, write).finally(() => bar.end())
  // The history had already moved here, beside another database.
  if (!(await readModelsFit(store))) await beforeWriting()
  return { progress, keepsPositions: stored.keepsPositions }
}

/**
 * Reads a source until the task has finished with it. Afterwards, a program that still writes to standard input is not left
 * waiting.
 */
async function reading<Result>(
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

function barOf(label: string) {
  const bar = progressBar(label)
  const onProgress = ({ found, written, position, header }: ImportProgress): void => {
    const share = shareOf(position, header.after?.position ?? beforeAll, header.end ?? beforeAll)
    bar.show(share, `${found + written} events`)
  }
  return { bar, onProgress }
}

/** Reads only what is not personal. This tells whether this program knows the events' types and versions. */
const withoutKeys: PersonalDataKeys = {
  keysFor: async () => new Map(),
  existingKeys: async () => new Map(),
  destroy: async () => undefined,
}

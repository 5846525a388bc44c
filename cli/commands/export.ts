import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beforeAll } from '../../domain/kernel/position.ts'
import { leftOut } from '../history-file/format.ts'
import { historyText, type ExportProgress } from '../history-file/write-history.ts'
import { interruptible } from '../interruptible.ts'
import { progressBar, shareOf } from '../progress-bar.ts'
import { storedParts } from '../stored-events.ts'
import { besideServer } from './beside.ts'
import { positionIn } from './position-named.ts'
import { refuseUnwritable } from './usable-file.ts'

export interface ExportOptions {
  /** Only the events after this position: the last one of an earlier export. */
  readonly after?: string
  /** Also exports the accounts' keys, wrapped as they are. */
  readonly withKeys?: boolean
}

/**
 * Writes all events to a file, or to standard output, as JSON lines (cli/history-file/format.ts). Events stay as they are
 * stored, so personal data is sealed, and can be read only with the keys. `say` prints messages that are not part of the file.
 */
export async function exportCommand(
  file: string | undefined,
  options: ExportOptions,
  say: (line: string) => void,
): Promise<void> {
  const after = positionIn(options.after)
  if (file !== undefined && existsSync(file)) throw new Error(`${file} exists already: name another file`)
  if (file !== undefined) await refuseUnwritable(file)
  const done = await interruptible((signal) =>
    besideServer(async (store) => {
      const { stored, keys } = storedParts(store)
      const bar = progressBar('exporting')
      let newest: ExportProgress | undefined
      const onProgress = (progress: ExportProgress): void => {
        newest = progress
        bar.show(shareOf(progress.position, after, progress.end), `${progress.events} events`)
      }
      const text = historyText({ stored, after, signal, onProgress, ...(options.withKeys ? { keys } : {}) })
      await (file === undefined ? toStandardOutput(text) : toFile(text, file)).finally(() => bar.end())
      return newest
    }),
  )
  const { events = 0, keys = 0, position = after } = done ?? {}
  const next = position === beforeAll ? '' : ` What comes later: --after ${position}.`
  say(`Exported ${events} events${options.withKeys ? ` and ${keys} keys` : ''}.${next}`)
  say(leftOut)
}

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false })
}

/** The file gets its name only once it is complete. No other user may read it: it shows who did what when in clear text. */
async function toFile(text: AsyncIterable<string>, file: string): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(text), createWriteStream(part, { mode: 0o600, flush: true }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

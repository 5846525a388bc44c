import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { StoredEvent } from '../../../adapters/event-store/stored-event.ts'
import { categories, type Category } from '../../../domain/aggregates.ts'

/** One event as a released version stored it. A sample is never changed once its version is released. */
export interface Sample {
  /** `invite/InviteCreated.v1`, optionally followed by a variant's name. */
  readonly name: string
  readonly category: Category
  readonly type: string
  readonly version: number
  readonly stored: StoredEvent
  /** What the current version reads from it. */
  readonly reads: unknown
  /** Personal members that were not yet sealed when it was stored. */
  readonly inTheClear: readonly string[]
}

const sampleFile = z.strictObject({
  stream: z.string(),
  eventId: z.uuid(),
  data: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  /** Missing if it equals the stored data: nothing is sealed in it, and it has no newer version. */
  reads: z.record(z.string(), z.unknown()).exactOptional(),
  inTheClear: z.array(z.string()).exactOptional(),
})

const folder = (category: Category): string => fileURLToPath(new URL(`./${category}/`, import.meta.url))
const fileName = /^(?<type>[A-Z][A-Za-z0-9]+)\.v(?<version>[1-9][0-9]*)(?:\.[a-z-]+)?\.json$/

/** Every sample; a file whose name contains no type and version is an error. */
export const samples: readonly Sample[] = categories.flatMap((category) =>
  readdirSync(folder(category)).map((file) => {
    const named = fileName.exec(file)?.groups
    if (!named) throw new Error(`${category}/${file} is named after no event type and version`)
    const type = named['type'] ?? ''
    const {
      reads,
      inTheClear = [],
      ...event
    } = sampleFile.parse(JSON.parse(readFileSync(folder(category) + file, 'utf8')))
    return {
      name: `${category}/${file.replace(/\.json$/, '')}`,
      category,
      type,
      version: Number(named['version']),
      stored: { ...event, type, revision: 0, position: 0n },
      reads: reads ?? event.data,
      inTheClear,
    }
  }),
)

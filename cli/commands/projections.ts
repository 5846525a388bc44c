import { readModels } from '../../projections/read-models.ts'
import type { ReadModelProgress } from '../../application/ports/instance-status.ts'
import { readModelStatus } from '../../projections/runner/status.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'

const nameWidth = 20
const numberWidth = 12

/** Prints how far each read model has come, and how many events may be missing. */
export async function projections(print: (line: string) => void): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const { database, events } = store
    const all = await readModelStatus({ pool: database.pool, store: events, projections: readModels })
    print(['read model'.padEnd(nameWidth), ...['version', 'position', 'end', 'lag'].map(right)].join(''))
    for (const status of all) print(lineOf(status))
  })
}

function lineOf({ name, version, declaredVersion, position, end, lag_events_max: lag }: ReadModelProgress): string {
  const shownVersion = version === declaredVersion ? `${version}` : `${version} → ${declaredVersion}`
  return [name.padEnd(nameWidth), ...[shownVersion, `${position}`, `${end}`, `${lag}`].map(right)].join('')
}

const right = (text: string): string => text.padStart(numberWidth)

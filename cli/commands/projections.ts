import { readModels } from '../../projections/read-models.ts'
import type { ReadModelProgress } from '../../application/ports/instance-status.ts'
import { oldestParked } from '../../projections/runner/parked.ts'
import { readModelStatus } from '../../projections/runner/status.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'

const parkedShown_max = 100
const nameWidth = 20
const numberWidth = 12

/** Prints how far each read model has come, how many events may be missing, and the streams that it has parked. */
export async function projections(print: (line: string) => void): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const { database, events } = store
    const all = await readModelStatus({ pool: database.pool, store: events, projections: readModels })
    print(['read model'.padEnd(nameWidth), ...['version', 'position', 'end', 'lag'].map(right)].join(''))
    for (const status of all) print(lineOf(status))
    for (const { readModel, stream, position, type, cause } of await oldestParked(
      database.pool,
      readModels,
      parkedShown_max,
    ))
      print(`${readModel} takes nothing of ${stream} from position ${position} on: ${type} is ${cause}`)
  })
}

function lineOf({ name, version, declaredVersion, position, end, lag_events_max: lag }: ReadModelProgress): string {
  const shownVersion = version === declaredVersion ? `${version}` : `${version} → ${declaredVersion}`
  return [name.padEnd(nameWidth), ...[shownVersion, `${position}`, `${end}`, `${lag}`].map(right)].join('')
}

const right = (text: string): string => text.padStart(numberWidth)

import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { ProcessManager } from '../../application/processes/process-manager.ts'
import { processManagers } from '../../application/processes/process-managers.ts'
import type { Projection, RowChange } from '../runner/projection.ts'
import { begun, ended } from './steps.ts'

/** The process managers that any event may concern, and by its type those that one concerns. */
const ofAny = processManagers.filter(({ mayBeginWithAny }) => mayBeginWithAny)
const ofType = new Map<string, readonly ProcessManager[]>(
  processManagers
    .flatMap(({ beginsWith, endsWith }) => [...beginsWith, ...endsWith])
    .map((type) => [type, processManagers.filter((manager) => ofAny.includes(manager) || isAbout(manager, type))]),
)

/** Steps that are begun and not finished: what the process managers say of each event. */
export const unfinishedProjection: Projection = {
  name: 'unfinished',
  answers: 'Steps that have begun and not finished, for the process managers.',
  version: 8,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { steps: ['process', 'key'] },
  handles: [...ofType.keys()],
  takesEvery: ofAny.length > 0,
  project: (event) => (ofType.get(event.type) ?? ofAny).flatMap((manager) => changesBy(manager, event)),
}

function isAbout({ beginsWith, endsWith }: ProcessManager, type: string): boolean {
  return beginsWith.includes(type) || endsWith.includes(type)
}

/** What an event changes in the steps of one process manager. */
function changesBy(manager: ProcessManager, event: RecordedEvent): readonly RowChange[] {
  const step = manager.begun(event)
  return [
    ...(step === undefined ? [] : [begun(manager.name, step, event)]),
    ...manager.ended(event).map((steps) => ended(manager.name, steps)),
  ]
}

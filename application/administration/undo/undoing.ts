import { accessOf } from '../../../domain/admin-audit/access-of.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { nothingRevealed } from '../history/masked-event.ts'
import { objectOfEvent } from '../history/objects-for-readers.ts'
import { findAct, type Act } from './find-act.ts'
import { isImpossible, type CannotUndo, type Undoing, type UndoAsker, type UndoNeeds } from './undo-rule.ts'
import { ruleOf } from './undo-rules.ts'
import { undonePairs } from './undone-pairs.ts'

/** An act, and what takes it back. */
export interface UndoableAct {
  readonly act: Act
  readonly undoing: Undoing
}

/** How many requests take one act back at most. */
export const undoSteps_max = 128

/** The command of each request that takes one act back: the first is that of the request which asked for it. */
export function commandOfStep(commandId: string, index: number): string {
  return index === 0 ? commandId : deriveId(commandId, `undo ${index}`)
}

/**
 * Finds what takes back the act that an id names: one of an entry of the admin audit log, or of an event of an act that leaves none.
 * Refuses with NOT_FOUND if there is no such act, and with CONFLICT, which says why and which later change stands in the way, if nothing
 * does (rules/administration#undo). `commandId`: of the request that asks for it; what an earlier try of it has done stands in nobody's
 * way.
 */
export function findUndoing(ports: UndoNeeds) {
  return async (
    id: string,
    { commandId, ...asker }: UndoAsker & { readonly commandId: string },
  ): Promise<UndoableAct> => {
    const found = (await findAct(ports, id)) ?? reject('NOT_FOUND')
    const act = { ...found, isUndone: isByCommand(commandId) }
    const undoing = await undoingOf(ports, act, asker)
    return isImpossible(undoing) ? refuse(undoing) : { act, undoing }
  }
}

function isByCommand(commandId: string): Act['isUndone'] {
  const own = new Set(Array.from({ length: undoSteps_max }, (_, index) => commandOfStep(commandId, index)))
  return ({ metadata: { causationId, adminAction } }) =>
    own.has(causationId) || (adminAction !== undefined && own.has(adminAction.commandId))
}

/** What takes an act back, or why nothing does. */
export async function undoingOf(needs: UndoNeeds, act: Act, asker: UndoAsker): Promise<Undoing | CannotUndo> {
  if (act.entryId !== null && accessOf(act.name) === 'read') return { outcome: 'nothing_to_undo', why: 'It only read.' }
  const rule = ruleOf(act.name)
  if (!rule) return { outcome: 'no_opposite', why: 'No operation does the opposite.' }
  if ('never' in rule) return { outcome: 'no_opposite', why: rule.never }
  const found = await withoutUndone(needs, act, (its) => rule.find(needs, its, asker))
  if (found.outcome === 'undo' && found.steps.length > undoSteps_max)
    return { outcome: 'no_opposite', why: `It would take more than ${undoSteps_max} requests.` }
  return found
}

/** A later act that was taken back stands in nobody's way, nor does what took it back. */
async function withoutUndone(
  needs: UndoNeeds,
  act: Act,
  find: (act: Act) => Promise<Undoing | CannotUndo>,
): Promise<Undoing | CannotUndo> {
  const found = await find(act)
  if (found.outcome !== 'changed_since') return found
  const pairs = await undonePairs(needs, act)
  if (pairs.size === 0) return found
  const isInPair = ({ metadata: { adminAction } }: RecordedEvent) =>
    adminAction !== undefined && pairs.has(adminAction.entryId)
  return find({ ...act, isUndone: (recorded) => act.isUndone(recorded) || isInPair(recorded) })
}

function refuse(why: CannotUndo): never {
  const isChanged = why.outcome === 'changed_since'
  return rejectWith('CONFLICT', {
    reason: why.outcome,
    why: isChanged ? 'What it changed was changed again.' : why.why,
    changed_by: isChanged ? objectOfEvent(why.by, nothingRevealed) : null,
  })
}

import { inverseOf } from '../../adapters/http/operations/administration/inverses.ts'
import { findAct, type Act, type FindActNeeds } from '../../application/administration/undo/find-act.ts'
import {
  isImpossible,
  type CannotUndo,
  type UndoNeeds,
  type UndoStep,
} from '../../application/administration/undo/undo-rule.ts'
import { undoingOf } from '../../application/administration/undo/undoing.ts'
import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import type { RecordedEvent, StreamAsOf } from '../../application/ports/event-store.ts'
import type { OperatorRequest } from './carry-out-as-operator.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { operatorAccount } from './operator.ts'

/** What takes an act back, and the history that this follows from. */
export interface Undo {
  /** In their order, at least one. */
  readonly asked: readonly OperatorRequest[]
  /** The account that the act was on, in words; empty for none. */
  readonly on: string
  /** What stays as the act left it, a sentence each. */
  readonly remains: readonly string[]
  readonly asOf: readonly StreamAsOf[]
}

export interface UndoWishes {
  readonly notifiesHolder: boolean
  readonly reason: string | undefined
}

/** Finds what takes back the act of an entry of the admin audit log, or of an event. Rejects, with the reason, if nothing can. */
export async function undoOf(
  needs: UndoNeeds & FindActNeeds,
  id: string,
  { notifiesHolder, reason }: UndoWishes,
): Promise<Undo> {
  const found = await findAct(needs, id)
  if (!found) throw new Error(`There is no entry ${id} in the admin audit log, and no such event`)
  const undoing = await undoingOf(
    needs,
    { ...found, isUndone: () => false },
    {
      by: operatorAccount.id,
      now: timestamp(Date.now()),
    },
  )
  if (isImpossible(undoing)) throw new Error(`Entry ${id} can't be undone: ${whyNot(undoing)}`)
  if (undoing.steps.some(({ on }) => on === 'guild' || on === 'member'))
    throw new Error(
      `Entry ${id} can't be undone by a command: a server has to do it, by POST /v1/admin/history/undo/${id}`,
    )
  const metadata = found.entryId === null ? {} : { undone_entry_id: found.entryId }
  return {
    asked: undoing.steps.map((step) => ({ ...inverseOf(step, notifiesHolder), reason, metadata })),
    on: accountIn(found),
    remains: undoing.steps.flatMap(remainsOf),
    asOf: undoing.asOf,
  }
}

function accountIn({ target }: Pick<Act, 'target'>): string {
  const account = accountOfTarget(target)
  return account === undefined ? '' : `, account ${account}`
}

function whyNot(undoing: CannotUndo): string {
  return undoing.outcome === 'changed_since'
    ? `what it changed was changed again, by ${changeOf(undoing.by)}`
    : undoing.why.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replace(/\.$/, '')
}

function changeOf({ type, metadata: { at, actor, adminAction } }: RecordedEvent): string {
  const who =
    adminAction !== undefined
      ? `entry ${adminAction.entryId}`
      : actor.kind === 'system'
        ? `the system (${actor.name})`
        : `account ${actor.kind === 'account' ? actor.id : actor.accountId}`
  return `${who} at ${at} (${type})`
}

function remainsOf(step: UndoStep): readonly string[] {
  if (step.on !== 'account') return []
  const { undoing } = step
  if (undoing.outcome === 'lift_ban' && undoing.replacedUntil !== null)
    return [`The ban until ${undoing.replacedUntil}, which that one replaced, does not come back.`]
  if (undoing.outcome === 'cancel_deletion' && undoing.replacedDueAt !== null)
    return [`The deletion due at ${undoing.replacedDueAt}, which that one replaced, does not come back.`]
  return []
}

/** The error of an undo that another change came before. */
export const changedMeanwhile = (): Error =>
  new Error('What was to be undone was changed at this very moment, and nothing was undone. Run the command again')

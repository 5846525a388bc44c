import { inverseOf } from '../../adapters/http/operations/administration/inverses.ts'
import { isImpossible, undoingOn } from '../../application/administration/undo/undoing.ts'
import type { CannotUndo, Undoing } from '../../application/administration/undo/what-undoes.ts'
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import type { AccountId, EntryId } from '../../domain/ids/ids.ts'
import type { Revision } from '../../domain/kernel/position.ts'
import type { StreamName } from '../../domain/streams.ts'
import { liveCheckpoints, positionOf } from '../../projections/runner/registry.ts'
import { openQueries, readModels } from '../../projections/read-models.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import type { OperatorRequest } from './carry-out-as-operator.ts'

/** What undoes an entry, and the history that this follows from. */
export interface Undo {
  readonly asked: OperatorRequest
  /** What stays as the entry left it; undefined for nothing. */
  readonly remains: string | undefined
  readonly stream: StreamName
  readonly revision: Revision
}

export interface UndoWishes {
  readonly notifiesHolder: boolean
  readonly reason: string | undefined
}

/** Finds what undoes an entry of the admin audit log. Rejects, with the reason, if nothing can. */
export async function undoOf(store: Store, entry: EntryId, wishes: UndoWishes): Promise<Undo> {
  await refuseWithoutReadModels(store)
  const target = await accountOfEntry(store, entry)
  const { undoing, stream, revision } = await undoingOn(store.events, target, entry)
  if (isImpossible(undoing)) throw new Error(`Entry ${entry} can't be undone: ${whyNot(undoing)}`)
  const { notifiesHolder, reason } = wishes
  const { operation, body } = inverseOf(undoing, notifiesHolder)
  const metadata = { undone_entry_id: entry }
  return {
    asked: { operation: operation.name, body, accountId: target, reason, metadata },
    remains: remainsOf(undoing),
    stream,
    revision,
  }
}

async function accountOfEntry(store: Store, entry: EntryId): Promise<AccountId> {
  const found = (await openQueries(store.database).adminAudit.find(entry)) ?? (await newEntry(store, entry))
  if (!found) throw new Error(`There is no entry ${entry} in the admin audit log`)
  const { targetType: type, targetId: id } = found
  const target = accountOfTarget({ type, id })
  if (target === undefined) throw new Error(`Entry ${entry} can't be undone: it is not about an account`)
  return target
}

interface EntryTarget {
  readonly targetType: string
  readonly targetId: string
}

/** An entry that the read models do not hold yet, as when no server runs. */
async function newEntry({ database, events }: Store, entry: EntryId): Promise<EntryTarget | undefined> {
  const read = positionOf(await liveCheckpoints(database.pool), readModels)
  return findEntry(events, read, entry)
}

async function findEntry(
  events: Pick<EventStore, 'readAll'>,
  after: bigint,
  entry: EntryId,
): Promise<EntryTarget | undefined> {
  for await (const page of events.readAll(after)) {
    for (const { data, metadata, type } of page) {
      if (metadata.adminAction?.entryId === entry) {
        const { target } = metadata.adminAction
        return { targetType: target.type, targetId: target.id }
      }
      if (type === 'AdminActionRecorded' && isEntry(data) && data.entryId === entry) return data
    }
  }
  return undefined
}

function isEntry(data: object): data is EntryTarget & { readonly entryId: unknown } {
  return 'entryId' in data && 'targetType' in data && 'targetId' in data
}

function whyNot(undoing: CannotUndo): string {
  switch (undoing.outcome) {
    case 'nothing_to_undo':
      return 'it changed nothing, or nothing that can be taken back'
    case 'erased':
      return 'the account is erased'
    case 'changed_since':
      return `what it changed was changed again, by ${changeOf(undoing.by)}`
  }
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

function remainsOf(undoing: Undoing): string | undefined {
  if (undoing.outcome === 'lift_ban' && undoing.replacedUntil !== null)
    return `The ban until ${undoing.replacedUntil}, which that one replaced, does not come back.`
  if (undoing.outcome === 'cancel_deletion' && undoing.replacedDueAt !== null)
    return `The deletion due at ${undoing.replacedDueAt}, which that one replaced, does not come back.`
  return undefined
}

/** The error of an undo that another change came before. */
export const changedMeanwhile = (id: AccountId): Error =>
  new Error(`Account ${id} was changed at this very moment, and nothing was undone. Run the command again`)

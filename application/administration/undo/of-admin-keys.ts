import { adminKey } from '../../../domain/admin-key/admin-key.ts'
import type { AdminKey } from '../../../domain/admin-key/state.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { actInStream, changedAgain, historyOf } from './folded-steps.ts'
import { changedNothing, type FindUndoing, type UndoStep } from './undo-rule.ts'

/** What takes back the making of an Admin key, which is its deletion, or a change of one: its name and ACLs from before. */
export const undoOnAdminKey: FindUndoing = async ({ events }, act, { by }) => {
  const stream = act.streams.find((each) => categoryOf(each) === 'admin_key')
  const acted = stream && actInStream(adminKey, await historyOf(events, stream), act)
  if (!acted || acted.after.status !== 'issued') return changedNothing
  const { before, after } = acted
  if (after.accountId !== by)
    return { outcome: 'no_opposite', why: 'Only the account that made the key can change or delete it.' }
  const members = before.status === 'issued' ? changedMembers(before, after) : (['name', 'acls'] as const)
  const later = changedAgain(acted, (state) =>
    state.status === 'issued' ? members.map((member) => state[member]) : state.status,
  )
  if (later) return { outcome: 'changed_since', by: later }
  const step: UndoStep =
    before.status === 'issued'
      ? {
          on: 'admin_key',
          id: after.keyId,
          does: 'change',
          changes: Object.fromEntries(members.map((member) => [member, before[member]])),
        }
      : { on: 'admin_key', id: after.keyId, does: 'delete' }
  return { outcome: 'undo', steps: [step], asOf: [acted] }
}

function changedMembers(before: AdminKey, after: AdminKey): readonly ('name' | 'acls')[] {
  return (['name', 'acls'] as const).filter((member) => String(before[member]) !== String(after[member]))
}

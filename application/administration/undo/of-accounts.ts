import { accountOfTarget } from '../../../domain/admin-audit/account-of-target.ts'
import { streamName } from '../../../domain/streams.ts'
import { historyOf } from './folded-steps.ts'
import { changedNothing, type FindUndoing } from './undo-rule.ts'
import { whatUndoes } from './what-undoes.ts'

/** What takes back an act on an account: what its own events say. */
export const undoOnAccount: FindUndoing = async ({ events }, act) => {
  const accountId = accountOfTarget(act.target)
  if (accountId === undefined || act.entryId === null) return changedNothing
  const stream = streamName('account', accountId)
  const history = await historyOf(events, stream)
  const undoing = whatUndoes(
    history.filter((recorded) => !act.isUndone(recorded)),
    act.entryId,
  )
  if ('why' in undoing || undoing.outcome === 'changed_since') return undoing
  const newest = history.at(-1)
  if (!newest) return changedNothing
  return {
    outcome: 'undo',
    steps: [{ on: 'account', accountId, undoing }],
    asOf: [{ stream, revision: newest.revision }],
  }
}

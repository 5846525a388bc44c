import { report } from '../../../domain/report/report.ts'
import { categoryOf, idOf } from '../../../domain/streams.ts'
import { reportId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { actInStream, changedAgain, historyOf } from './folded-steps.ts'
import { changedNothing, type FindUndoing } from './undo-rule.ts'

/** What takes back a claim of a report, which is its release, or a release, which is a claim by who had it. */
export const undoOnReport: FindUndoing = async ({ events }, act, { by }) => {
  const stream = act.streams.find((each) => categoryOf(each) === 'report')
  const acted = stream && actInStream(report, await historyOf(events, stream), act)
  if (!acted || acted.before.status !== 'pending' || acted.after.status !== 'pending') return changedNothing
  const later = changedAgain(acted, (state) => (state.status === 'pending' ? state.claimedBy : state.status))
  if (later) return { outcome: 'changed_since', by: later }
  const id = reportId(snowflake(idOf(acted.stream)))
  const { claimedBy: had } = acted.before
  if (had !== null && had !== by)
    return { outcome: 'no_opposite', why: 'Only the administrator who had claimed the report can claim it again.' }
  return { outcome: 'undo', steps: [{ on: 'report', id, does: had === null ? 'release' : 'claim' }], asOf: [acted] }
}

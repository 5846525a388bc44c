import { registrationUrl } from '../../../domain/registration-url/registration-url.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { actInStream, changedAgain, historyOf } from './folded-steps.ts'
import { changedNothing, type FindUndoing } from './undo-rule.ts'

/** What takes back the making of a registration URL: it is revoked. Accounts that used it stay. */
export const undoNewRegistrationUrl: FindUndoing = async ({ events }, act) => {
  const stream = act.streams.find((each) => categoryOf(each) === 'registration_url')
  const acted = stream && actInStream(registrationUrl, await historyOf(events, stream), act)
  if (!acted || acted.now.status === 'absent') return changedNothing
  const later = changedAgain(acted, (state) => state.status === 'created' && state.isRevoked)
  if (later) return { outcome: 'changed_since', by: later }
  const { registrationUrlId: id } = acted.now.terms
  return { outcome: 'undo', steps: [{ on: 'registration_url', id }], asOf: [acted] }
}

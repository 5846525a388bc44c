import { membership } from '../../../domain/membership/membership.ts'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { categoryOf, idOf } from '../../../domain/streams.ts'
import { actInStream, changedAgain, historyOf } from './folded-steps.ts'
import { changedNothing, type FindUndoing } from './undo-rule.ts'

/** What takes back that an account became a member of a guild, was one no more, or was banned. */
export const undoOnMember: FindUndoing = async ({ events }, act) => {
  const stream = act.streams.find((each) => categoryOf(each) === 'membership')
  const acted = stream && actInStream(membership, await historyOf(events, stream), act)
  if (!stream || !acted) return changedNothing
  const { before, after } = acted
  const later = changedAgain(acted, (state) => (state.status === 'banned' ? state : state.status))
  if (later) return { outcome: 'changed_since', by: later }
  const does = after.status === 'banned' ? 'unban' : after.status === 'member' ? 'kick' : 'add'
  if (before.status === after.status && does !== 'unban') return changedNothing
  // Named by the guild and the account.
  const [guild = '', account = ''] = idOf(stream).split('-')
  const ids = { guildId: guildId(snowflake(guild)), accountId: accountId(snowflake(account)) }
  return { outcome: 'undo', steps: [{ on: 'member', ...ids, does }], asOf: [acted] }
}

import { blocklistEntry } from '../../../domain/blocklist-entry/blocklist-entry.ts'
import { networkBan } from '../../../domain/network-ban/network-ban.ts'
import { categoryOf, streamName, type StreamName } from '../../../domain/streams.ts'
import { entryIdOf } from '../../content-rules/entry-ids.ts'
import { actInStream, changedAgain, foldedSteps, historyOf } from './folded-steps.ts'
import { undoOnBlocklist } from './of-blocklists.ts'
import { changedNothing, type FindUndoing, type UndoNeeds } from './undo-rule.ts'

/** What takes back an act on an address: on the list of addresses, or a ban of its network by an operator, which is no entry there. */
export const undoOnAddress: FindUndoing = async (needs, act, asker) => {
  if (act.streams.some((stream) => categoryOf(stream) === 'blocklist_entry')) return undoOnBlocklist(needs, act, asker)
  const stream = act.streams.find((each) => categoryOf(each) === 'network_ban')
  if (stream === undefined) return changedNothing
  const acted = actInStream(networkBan, await historyOf(needs.events, stream), act)
  if (!acted) return changedNothing
  const later = changedAgain(acted, (state) => state)
  if (later) return { outcome: 'changed_since', by: later }
  if (acted.now.status !== 'banned')
    return { outcome: 'no_opposite', why: 'Ban the network again: Ban network, or guildhall ban-ip.' }
  const { network } = acted.now
  if (await isListed(needs, network))
    return {
      outcome: 'no_opposite',
      why: 'The address is on the blocklist too: remove it there, or lift the ban: Lift network ban, or guildhall unban-ip.',
    }
  const step = { on: 'blocklist', list: 'ip', scope: null, does: 'remove', values: [network] } as const
  return { outcome: 'undo', steps: [step], asOf: [{ stream, revision: acted.revision }] }
}

async function isListed({ blocklistBox, events }: UndoNeeds, network: string): Promise<boolean> {
  const stream: StreamName = streamName('blocklist_entry', entryIdOf({ blocklistBox }, 'ip', null, { key: network }))
  return foldedSteps(blocklistEntry, await historyOf(events, stream)).at(-1)?.after.status === 'listed'
}

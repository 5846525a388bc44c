import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { AddBlocklistEntry, BlocklistEntryCommand } from './commands.ts'
import { blocklistEntryEvents, type BlocklistEntryEvent, type EntryDetails } from './events.ts'
import type { BlocklistEntryState, ListedEntry } from './state.ts'

/** One value on one blocklist, and in one scope if the list has scopes. */
export const blocklistEntry = aggregate({
  category: 'blocklist_entry',
  identifiedBy: 'a keyed hash of list, scope and value',
  guards: 'that a list holds a value once (decision 23)',
  stateVersion: 1,
  events: blocklistEntryEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: BlocklistEntryState, command: BlocklistEntryCommand): Decision<BlocklistEntryEvent> {
  switch (command.type) {
    case 'AddBlocklistEntry':
      return state.status === 'listed' ? change(state, command.details) : add(command)
    case 'ChangeBlocklistEntry':
      return state.status === 'listed' ? change(state, command.changes) : refuse('NOT_FOUND')
    case 'RemoveBlocklistEntry':
      if (state.status === 'absent') return accept()
      return accept({ type: 'BlocklistEntryRemoved', data: { entryId: state.entryId, list: state.list } })
  }
}

function add({ type: _, now, ...entry }: AddBlocklistEntry): Decision<BlocklistEntryEvent> {
  return accept({ type: 'BlocklistEntryAdded', data: { ...entry, addedAt: now } })
}

/** Records the members that change. */
function change({ entryId, details }: ListedEntry, wishes: Partial<EntryDetails>): Decision<BlocklistEntryEvent> {
  const news: Readonly<Record<string, unknown>> = wishes
  const old = new Map<string, unknown>(Object.entries(details))
  const changes: Partial<EntryDetails> = Object.fromEntries(
    Object.entries(news).filter(([member, value]) => value !== old.get(member)),
  )
  if (Object.keys(changes).length === 0) return accept()
  return accept({ type: 'BlocklistEntryChanged', data: { entryId, changes } })
}

function evolve(state: BlocklistEntryState, { type, data }: BlocklistEntryEvent): BlocklistEntryState {
  switch (type) {
    case 'BlocklistEntryAdded':
      return { status: 'listed', entryId: data.entryId, list: data.list, details: data.details }
    case 'BlocklistEntryChanged':
      return state.status === 'listed' ? { ...state, details: { ...state.details, ...data.changes } } : state
    case 'BlocklistEntryRemoved':
      return { status: 'absent' }
  }
}

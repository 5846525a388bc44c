import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, type Decision } from '../kernel/decider.ts'
import type { GuildAuditCommand } from './commands.ts'
import { guildAuditEvents, type GuildAuditEvent, type MessageDeletionsFolded } from './events.ts'
import { unfolded_max, type GuildAuditState } from './state.ts'

/** One month of a guild's audit log about messages. It refuses nothing: it records what has happened. */
export const guildAudit = aggregate({
  category: 'guild_audit',
  identifiedBy: 'guild id and month',
  guards: 'deletions and pins of messages that the audit log lists, by id alone (decision 33)',
  stateVersion: 1,
  events: guildAuditEvents,
  initial: { status: 'empty', newest: null, unfolded: [] },
  decide,
  evolve,
})

function decide(state: GuildAuditState, command: GuildAuditCommand): Decision<GuildAuditEvent> {
  if (command.entryId === state.newest) return accept()
  switch (command.type) {
    case 'RecordMessageDeletion': {
      const { type: _, ...data } = command
      return accept({ type: 'MessageDeletionRecorded', data })
    }
    case 'RecordBulkDeletion': {
      const { type: _, ...data } = command
      return accept({ type: 'BulkDeletionRecorded', data })
    }
    case 'RecordPin': {
      const { type: _, ...data } = command
      return accept({ type: 'MessagePinRecorded', data })
    }
    case 'FoldMessageDeletions': {
      const { type: _, ...wish } = command
      return fold(state, wish)
    }
  }
}

/**
 * Folds the entries that are not folded yet, if there are at least two. So two concurrent reads make one entry
 * (rules/guilds#audit-log).
 */
function fold({ unfolded }: GuildAuditState, wish: MessageDeletionsFolded): Decision<GuildAuditEvent> {
  const folded = wish.folded.filter((entry) => unfolded.includes(entry))
  return folded.length < 2 ? accept() : accept({ type: 'MessageDeletionsFolded', data: { ...wish, folded } })
}

function evolve({ unfolded }: GuildAuditState, event: GuildAuditEvent): GuildAuditState {
  const recorded = { status: 'recorded', newest: event.data.entryId, unfolded } as const
  switch (event.type) {
    case 'MessageDeletionRecorded':
      return { ...recorded, unfolded: [...unfolded, event.data.entryId].slice(-unfolded_max) }
    case 'BulkDeletionRecorded':
    case 'MessagePinRecorded':
      return recorded
    case 'MessageDeletionsFolded':
      return { ...recorded, unfolded: unfolded.filter((entry) => !event.data.folded.includes(entry)) }
  }
}

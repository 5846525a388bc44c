import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { otherThan } from '../kernel/same-json.ts'
import type {
  ApplyForDiscovery,
  ApproveDiscovery,
  ChangeDiscoveryByFeature,
  DiscoveryApplicationCommand,
  DropDiscovery,
  EditDiscovery,
  MoveDiscoveryListing,
  RejectDiscovery,
  RemoveDiscoveryListing,
  RestoreDiscoveryListing,
  SettleDiscovery,
  WithdrawDiscovery,
} from './commands.ts'
import { discoveryApplicationEvents, type DiscoveryApplicationEvent, type ReviewEvidence } from './events.ts'
import { evolve } from './evolve.ts'
import type { DirectoryListing } from './listing.ts'
import type { DiscoveryApplicationState, DiscoveryApplication } from './state.ts'

/** A guild's application to the directory, and what was decided about it. */
export const discoveryApplication = aggregate({
  category: 'discovery_application',
  identifiedBy: 'the guild id',
  guards: 'one application a guild, its status, and what its listing says',
  stateVersion: 1,
  events: discoveryApplicationEvents,
  initial: { status: 'absent', decisions: 0, unsettled: [] },
  decide,
  evolve,
})

type Decided = Decision<DiscoveryApplicationEvent>
type Existing = Exclude<DiscoveryApplicationState, { readonly status: 'absent' }>

function decide(state: DiscoveryApplicationState, command: DiscoveryApplicationCommand): Decided {
  switch (command.type) {
    case 'ApplyForDiscovery':
      return apply(state, command)
    case 'SettleDiscovery':
      return settle(state, command)
    case 'DropDiscovery':
      return state.status === 'absent'
        ? accept()
        : accept({ type: 'DiscoveryApplicationDropped', data: { guildId: state.guildId } })
    default:
      // What is not listed need not be removed.
      if (state.status === 'absent' && command.type === 'ChangeDiscoveryByFeature' && !command.discoverable)
        return accept()
      return state.status === 'absent' ? refuse('DISCOVERY_APPLICATION_NOT_FOUND') : decideExisting(state, command)
  }
}

type OfExisting = Exclude<DiscoveryApplicationCommand, ApplyForDiscovery | SettleDiscovery | DropDiscovery>

function decideExisting(state: Existing, command: OfExisting): Decided {
  switch (command.type) {
    case 'ApproveDiscovery':
      return approve(state, command)
    case 'RejectDiscovery':
      return rejectIt(state, command)
    case 'EditDiscovery':
      return edit(state, command)
    case 'MoveDiscoveryListing':
      return move(state, command)
    case 'RemoveDiscoveryListing':
      return remove(state, command)
    case 'RestoreDiscoveryListing':
      return restore(state, command)
    case 'ChangeDiscoveryByFeature':
      return changeByFeature(state, command)
    case 'WithdrawDiscovery':
      return withdraw(state, command)
  }
}

/** DISCOVERY_ALREADY_APPLIED while one is pending or approved (rules/directory#apply). */
function apply(state: DiscoveryApplicationState, command: ApplyForDiscovery): Decided {
  if (state.status === 'pending' || state.status === 'approved') return refuse('DISCOVERY_ALREADY_APPLIED')
  const { guildId, by, listing, guild, atOnce, now } = command
  const decision = state.decisions + 1
  const submitted = { guildId, decision, appliedBy: by, listing, guild, approvedAtOnce: atOnce, appliedAt: now }
  return accept({ type: 'DiscoveryApplied', data: submitted })
}

/** DISCOVERY_APPLICATION_ALREADY_REVIEWED unless it is pending (rules/directory#review). */
function approve(state: Existing, command: ApproveDiscovery): Decided {
  if (state.status !== 'pending') return refuse('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  return accept(approved(state, command))
}

function approved(
  state: Existing,
  { by, guild, now, ...command }: ApproveDiscovery | ChangeDiscoveryByFeature,
): DiscoveryApplicationEvent {
  const reason = 'reason' in command ? command.reason : null
  const decided = { guildId: state.guildId, decision: state.decisions + 1 }
  const evidence = judged(state, guild)
  return {
    type: 'DiscoveryApplicationApproved',
    data: { ...decided, reviewedBy: by, reason, evidence, reviewedAt: now },
  }
}

function rejectIt(state: Existing, { by, guild, reason, now }: RejectDiscovery): Decided {
  if (state.status !== 'pending') return refuse('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  const { guildId } = state
  const evidence = judged(state, guild)
  return accept({
    type: 'DiscoveryApplicationRejected',
    data: { guildId, reviewedBy: by, reason, evidence, reviewedAt: now },
  })
}

/** DISCOVERY_APPLICATION_ALREADY_REVIEWED once rejected or removed. */
function edit(state: Existing, { by, byAdministrator, changes, now }: EditDiscovery): Decided {
  if (!isOpen(state)) return refuse('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  const { guildId, listing } = state
  const after: Partial<DirectoryListing> = Object.fromEntries(Object.entries(changes).filter(otherThan(listing)))
  if (Object.keys(after).length === 0) return accept()
  const before = Object.fromEntries(Object.entries(listing).filter(([member]) => Object.hasOwn(after, member)))
  return accept({
    type: 'DiscoveryApplicationEdited',
    data: { guildId, editedBy: by, byAdministrator, before, after, editedAt: now },
  })
}

function move(state: Existing, { by, categoryType: after, now }: MoveDiscoveryListing): Decided {
  if (!isOpen(state)) return refuse('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  const { guildId, listing } = state
  if (listing.categoryType === after) return accept()
  const data = { guildId, movedBy: by, before: listing.categoryType, after, movedAt: now }
  return accept({ type: 'DiscoveryListingMoved', data })
}

/** DISCOVERY_NOT_DISCOVERABLE unless it is approved: a pending one is closed by rejecting it. */
function remove(state: Existing, command: RemoveDiscoveryListing): Decided {
  if (state.status !== 'approved') return refuse('DISCOVERY_NOT_DISCOVERABLE')
  return accept(removed(state, command))
}

function removed(
  state: Existing,
  { by, guild, now, ...command }: RemoveDiscoveryListing | ChangeDiscoveryByFeature,
): DiscoveryApplicationEvent {
  const reason = 'reason' in command ? command.reason : null
  const decided = { guildId: state.guildId, decision: state.decisions + 1 }
  const evidence = judged(state, guild)
  return { type: 'DiscoveryListingRemoved', data: { ...decided, removedBy: by, reason, evidence, removedAt: now } }
}

/** DISCOVERY_APPLICATION_ALREADY_REVIEWED unless it is removed: nothing else can be undone. */
function restore(state: Existing, { guild, now }: RestoreDiscoveryListing): Decided {
  if (state.status !== 'removed') return refuse('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  // While it is removed, the removal is the last decision.
  const { guildId, decisions: undoes } = state
  const decided = { guildId, decision: undoes + 1, undoes }
  return accept({
    type: 'DiscoveryListingRestored',
    data: { ...decided, evidence: judged(state, guild), restoredAt: now },
  })
}

/**
 * Adding DISCOVERABLE approves an application, taking it away removes an approved one (rules/directory#by-the-feature).
 */
function changeByFeature(state: Existing, command: ChangeDiscoveryByFeature): Decided {
  if (command.discoverable === (state.status === 'approved')) return accept()
  return accept(command.discoverable ? approved(state, command) : removed(state, command))
}

/** In any status. */
function withdraw({ guildId, decisions }: Existing, { by, now }: WithdrawDiscovery): Decided {
  const data = { guildId, decision: decisions + 1, withdrawnBy: by, withdrawnAt: now }
  return accept({ type: 'DiscoveryApplicationWithdrawn', data })
}

function settle(state: DiscoveryApplicationState, { guildId, decision, seen }: SettleDiscovery): Decided {
  if (state.decisions !== seen || !state.unsettled.includes(decision)) return accept()
  return accept({ type: 'DiscoveryListingSettled', data: { guildId, decision } })
}

/** Whether what it says can be changed. */
function isOpen({ status }: Existing): boolean {
  return status === 'pending' || status === 'approved'
}

function judged({ listing }: DiscoveryApplication, guild: ReviewEvidence['guild']): ReviewEvidence {
  return { ...listing, guild }
}

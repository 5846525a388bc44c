import type { DiscoveryApplicationEvent, DiscoveryApplied } from './events.ts'
import type { DiscoveryApplication, DiscoveryApplicationState, DiscoveryStatus } from './state.ts'

export function evolve(state: DiscoveryApplicationState, event: DiscoveryApplicationEvent): DiscoveryApplicationState {
  switch (event.type) {
    case 'DiscoveryApplied':
      return { ...submitted(event.data), ...awaiting(state, event.data.decision) }
    case 'DiscoveryApplicationApproved': {
      const { decision, reviewedAt, reason: reviewReason } = event.data
      const review = { reviewedAt, reviewReason, removedAt: null, removalReason: null }
      return { ...become(state, 'approved', review), ...awaiting(state, decision) }
    }
    case 'DiscoveryApplicationRejected': {
      const { reviewedAt, reason: reviewReason } = event.data
      return become(state, 'rejected', { reviewedAt, reviewReason })
    }
    case 'DiscoveryApplicationEdited':
      return listed(state, event.data.after)
    case 'DiscoveryListingMoved':
      return listed(state, { categoryType: event.data.after })
    case 'DiscoveryListingRemoved': {
      const { decision, removedAt, reason: removalReason } = event.data
      return { ...become(state, 'removed', { removedAt, removalReason }), ...awaiting(state, decision) }
    }
    case 'DiscoveryListingRestored': {
      const restored = become(state, 'approved', { removedAt: null, removalReason: null })
      return { ...restored, ...awaiting(state, event.data.decision) }
    }
    case 'DiscoveryApplicationWithdrawn':
      return { status: 'absent', ...awaiting(state, event.data.decision) }
    case 'DiscoveryApplicationDropped':
      return { status: 'absent', decisions: state.decisions, unsettled: state.unsettled }
    case 'DiscoveryListingSettled':
      return { ...state, unsettled: state.unsettled.filter((decision) => decision !== event.data.decision) }
  }
}

function submitted({ guildId, listing, approvedAtOnce, appliedAt }: DiscoveryApplied) {
  const status: DiscoveryStatus = approvedAtOnce ? 'approved' : 'pending'
  const reviewedAt = approvedAtOnce ? appliedAt : null
  return { status, guildId, listing, appliedAt, reviewedAt, reviewReason: null, removedAt: null, removalReason: null }
}

function awaiting({ unsettled }: DiscoveryApplicationState, decision: number) {
  return { decisions: decision, unsettled: [...unsettled.filter((earlier) => earlier !== decision), decision] }
}

function become(
  state: DiscoveryApplicationState,
  status: DiscoveryStatus,
  review: Partial<DiscoveryApplication>,
): DiscoveryApplicationState {
  return state.status === 'absent' ? state : { ...state, ...review, status }
}

function listed(
  state: DiscoveryApplicationState,
  changes: Partial<DiscoveryApplication['listing']>,
): DiscoveryApplicationState {
  return state.status === 'absent' ? state : { ...state, listing: { ...state.listing, ...changes } }
}

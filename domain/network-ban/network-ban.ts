import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, type Decision } from '../kernel/decider.ts'
import type { BanNetwork, LiftNetworkBan, NetworkBanCommand } from './commands.ts'
import { networkBanEvents, type NetworkBanEvent } from './events.ts'
import { holds, type NetworkBanState } from './state.ts'

/** Whether a network may send requests. */
export const networkBan = aggregate({
  category: 'network_ban',
  identifiedBy: 'the network: an IPv4 address, or the /64 of an IPv6 address',
  guards: 'whether a network may send requests (decision 16)',
  stateVersion: 1,
  events: networkBanEvents,
  initial: { status: 'free' },
  decide,
  evolve,
})

function decide(state: NetworkBanState, command: NetworkBanCommand): Decision<NetworkBanEvent> {
  switch (command.type) {
    case 'BanNetwork':
      return ban(state, command)
    case 'LiftNetworkBan':
      return lift(state, command)
  }
}

function ban(
  state: NetworkBanState,
  { network, cause, reason, expiresAt, now }: BanNetwork,
): Decision<NetworkBanEvent> {
  if (state.status === 'banned') {
    const same = state.cause === cause && state.reason === reason && state.expiresAt === expiresAt
    if (same || (cause === 'failures' && holds(state, now))) return accept()
  }
  return accept({ type: 'NetworkBanned', data: { network, cause, reason, bannedAt: now, expiresAt } })
}

/** A ban that has expired cannot be lifted. */
function lift(state: NetworkBanState, { now }: LiftNetworkBan): Decision<NetworkBanEvent> {
  if (state.status === 'free' || !holds(state, now)) return accept()
  return accept({ type: 'NetworkBanLifted', data: { network: state.network, liftedAt: now } })
}

function evolve(_: NetworkBanState, { type, data }: NetworkBanEvent): NetworkBanState {
  switch (type) {
    case 'NetworkBanned':
      return { status: 'banned', ...data }
    case 'NetworkBanLifted':
      return { status: 'free' }
  }
}

import { accept, type Decider, type Decision } from '../kernel/decider.js'
import type { BanNetwork, LiftNetworkBan, NetworkBanCommand } from './commands.js'
import type { NetworkBanEvent } from './events.js'
import { holds, type NetworkBanState } from './state.js'

/** Whether a network may send requests (reference identity 1.12 and 2.2). */
export const networkBan: Decider<NetworkBanState, NetworkBanCommand, NetworkBanEvent> = {
  category: 'network_ban',
  initial: { status: 'free' },
  decide,
  evolve,
}

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

import { Metadata, status } from '@grpc/grpc-js'
import type { Faults } from './faults.ts'

/** Refuses a call that requires the leader if another node leads (RpcExceptions.LeaderInfo of the server). */
export function notLeader(call: Metadata, { leaderPort }: Faults): Error | undefined {
  if (leaderPort === undefined || !call.get('requires-leader').includes('true')) return undefined
  const metadata = new Metadata()
  metadata.set('exception', 'not-leader')
  metadata.set('leader-endpoint-host', '127.0.0.1')
  metadata.set('leader-endpoint-port', String(leaderPort))
  const details = 'Leader info available'
  return Object.assign(new Error(details), { code: status.NOT_FOUND, details, metadata })
}

/** The answer to every call from a node of a cluster without a leader. */
export function notReady({ leaderless }: Faults): Error | undefined {
  const details = 'Server Is Not Ready'
  return leaderless ? Object.assign(new Error(details), { code: status.UNAVAILABLE, details }) : undefined
}

import { ConsumerTooSlow, EventStoreReadFault, EventStoreUnavailable, failureOf, statusError } from '../failures.ts'
import type { Endpoint } from './endpoints.ts'

/** What the error of a call says about its node. */
export type CallFailure =
  /** Another node leads. */
  | { readonly means: 'other leader'; readonly leader: Endpoint }
  /** The node is gone, or serves nobody, such as a node of a cluster without a leader. */
  | { readonly means: 'node gone' }
  /** The call was late or broke off: the node may be alive or not. */
  | { readonly means: 'no answer' }
  /** The node is alive. */
  | { readonly means: 'nothing' }

const codeOf = { cancelled: 1, unavailable: 14 } as const
/** How the gRPC library describes a call that this process ended. */
const cancelledHere = 'Cancelled on client'
const noLeader = /no leader info/i

export function callFailure(error: unknown): CallFailure {
  const failure = failureOf(error)
  const status = statusError.safeParse(error)
  const isAnswer = failure instanceof ConsumerTooSlow || failure instanceof EventStoreReadFault
  if (!(failure instanceof EventStoreUnavailable) || isAnswer || !status.success) return { means: 'nothing' }
  const { code, details, metadata } = status.data
  const said = (name: string): string => metadata?.get(name)[0]?.toString() ?? ''
  const leader = { host: said('leader-endpoint-host'), port: Number(said('leader-endpoint-port')) }
  if (leader.host && leader.port > 0) return { means: 'other leader', leader }
  if (code === codeOf.cancelled && details === cancelledHere) return { means: 'nothing' }
  const servesNobody = said('exception').includes('not-leader') || noLeader.test(details)
  return { means: code === codeOf.unavailable || servesNobody ? 'node gone' : 'no answer' }
}

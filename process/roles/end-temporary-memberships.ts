import {
  temporaryMembershipsEnding,
  type TemporaryMembershipNeeds,
} from '../../application/communities/members/end-temporary-memberships.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { Base } from './base.ts'
import { repeatedly } from './repeatedly.ts'

const stockLooks_ms = 5000

/**
 * In every worker: ends temporary memberships of members who are gone. If one worker has ended a membership, the others find it
 * ended.
 */
export function endTemporaryMemberships({ options, closings, onError }: Base, ports: TemporaryMembershipNeeds): void {
  const { looks_ms = stockLooks_ms } = options
  const end = temporaryMembershipsEnding(ports)
  const rounds = repeatedly(looks_ms, () => end(timestamp(Date.now())), onError)
  closings.add(() => rounds.stop())
}

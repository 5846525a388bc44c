import {
  temporaryMembershipsEnding,
  type TemporaryMembershipNeeds,
} from '../../application/communities/members/end-temporary-memberships.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import type { Base } from './base.js'
import { repeatedly } from './repeatedly.js'

const looks_ms = 5000

/** Has every worker look who is gone whose membership was to last no longer: what one has ended, the others find ended. */
export function endTemporaryMemberships({ closings, onError }: Base, ports: TemporaryMembershipNeeds): void {
  const end = temporaryMembershipsEnding(ports)
  const rounds = repeatedly(looks_ms, () => end(timestamp(Date.now())), onError)
  closings.add(() => rounds.stop())
}

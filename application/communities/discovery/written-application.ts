import type { DiscoveryApplicationState } from '../../../domain/discovery-application/state.ts'
import { reject } from '../../commands/refused.ts'
import {
  discoveryApplicationObject,
  type DiscoveryApplicationObject,
} from '../../wire-objects/communities/discovery-application-object.ts'

/** The application after a command. A repeated command may find it withdrawn since: DISCOVERY_APPLICATION_NOT_FOUND. */
export function writtenApplication(state: DiscoveryApplicationState): DiscoveryApplicationObject {
  return state.status === 'absent' ? reject('DISCOVERY_APPLICATION_NOT_FOUND') : discoveryApplicationObject(state)
}

import type { DiscoveryApplicationState } from '../../../domain/discovery-application/state.js'
import { reject } from '../../commands/refused.js'
import {
  discoveryApplicationObject,
  type DiscoveryApplicationObject,
} from '../../wire-objects/communities/discovery-application-object.js'

/** The application after a command. A repeated command may find it withdrawn since: DISCOVERY_APPLICATION_NOT_FOUND. */
export function writtenApplication(state: DiscoveryApplicationState): DiscoveryApplicationObject {
  return state.status === 'absent' ? reject('DISCOVERY_APPLICATION_NOT_FOUND') : discoveryApplicationObject(state)
}

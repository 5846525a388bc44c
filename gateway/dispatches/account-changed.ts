import { privateUserObject } from '../../application/objects/user-objects.js'
import type { Known } from '../events/known-event.js'
import { same, type Telling } from './dispatch.js'

/** The account changed: USER_UPDATE, the complete private user object, to its own sessions (reference gateway 2.3). */
export function aclsGranted({ data, metadata }: Known<'AclsGranted'>): Telling {
  const { accountId } = data
  return {
    accounts: [accountId],
    dispatches: (scene) => [
      {
        t: 'USER_UPDATE',
        guildId: null,
        audience: { kind: 'sessions', sessions: scene.sessionsOf(accountId) },
        body: same(privateUserObject(scene.account(accountId), metadata.at)),
      },
    ],
  }
}

import { privateUserObject } from '../../../application/wire-objects/identity/user-objects.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import { changesUser, type UserChange } from '../../../application/wire-objects/identity/user-changes.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Known, KnownEvent } from '../../visibility/known-event.ts'
import type { Session } from '../../sessions/session.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, type Telling } from '../telling.ts'
import { userSettingsUpdates } from './user-settings-update.ts'

/** Whether sessions need a new record of their account after an event. */
export function changesAccount(event: KnownEvent): event is Known<UserChange> {
  return changesUser(event.type)
}

/** USER_UPDATE, the complete private user object. */
export function userUpdate(
  record: AccountRecord,
  sessions: readonly Session[],
  at: Timestamp,
): Dispatch<'USER_UPDATE'> {
  return {
    t: 'USER_UPDATE',
    guildId: null,
    audience: { kind: 'sessions', sessions },
    body: same(privateUserObject(record, at)),
  }
}

/** The account changed: its sessions know it anew, and are told. */
export function accountChanged({ type, data, metadata }: Known<UserChange>): Telling {
  const { accountId } = data
  return preparing(type === 'VoiceActivitySharingChosen' ? ['USER_UPDATE', 'USER_SETTINGS_UPDATE'] : ['USER_UPDATE'], {
    accounts: [accountId],
    prepare: ({ account, world }) => {
      const record = account(accountId)
      return (scene) => {
        for (const session of world.sessionsOf(accountId)) session.account = record
        const sessions = scene.sessionsOf(accountId)
        return [
          userUpdate(record, sessions, metadata.at),
          // The settings show this too.
          ...(type === 'VoiceActivitySharingChosen' ? userSettingsUpdates(sessions, scene, metadata.at) : []),
        ]
      }
    },
  })
}

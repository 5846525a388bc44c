import { privateUserObject } from '../../../application/wire-objects/identity/user-objects.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { Known, KnownEvent } from '../../events/known-event.js'
import { same, type Telling } from '../dispatch.js'
import { userSettingsUpdates } from './user-settings-update.js'

/** The events that change the private user object. */
const changing = [
  'AclsGranted',
  'AclsSet',
  'TagChanged',
  'ProfileChanged',
  'PasswordChanged',
  'EmailAddressChanged',
  'EmailAddressVerified',
  'EmailAddressBounced',
  'FlagsChanged',
  'TermsAccepted',
  'TotpEnabled',
  'TotpDisabled',
  'PasskeysChosenAsSecondFactor',
  'VoiceActivitySharingChosen',
] as const satisfies readonly AccountEvent['type'][]

export type AccountChange = (typeof changing)[number]

const changingTypes: ReadonlySet<string> = new Set(changing)

/** Whether sessions need a new record of their account after an event. */
export function changesAccount(event: KnownEvent): event is Known<AccountChange> {
  return changingTypes.has(event.type)
}

/** The account changed: USER_UPDATE, the complete private user object, to its own sessions (reference gateway 2.3). */
export function accountChanged({ type, data, metadata }: Known<AccountChange>): Telling {
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
      // The settings show this too.
      ...(type === 'VoiceActivitySharingChosen'
        ? userSettingsUpdates(scene.sessionsOf(accountId), scene, metadata.at)
        : []),
    ],
  }
}

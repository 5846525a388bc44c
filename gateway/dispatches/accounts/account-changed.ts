import { privateUserObject } from '../../../application/wire-objects/identity/user-objects.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { Known, KnownEvent } from '../../events/known-event.js'
import { same } from '../dispatch.js'
import type { Telling } from '../telling.js'
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
  'PremiumFlagsChanged',
  'PremiumPaid',
  'PremiumCut',
  'PremiumReversed',
  'PremiumEnded',
  'GiftTimeAdded',
  'GiftTimeTaken',
  'GiftCodeObtained',
  'GiftCodesSeen',
  'LifetimePremiumSet',
  'TraitsSet',
  'BotStatusSet',
  'SystemStatusSet',
  'DateOfBirthChanged',
  'AccountBanned',
  'AccountBanLifted',
  'AccountDeletionScheduled',
  'AccountDeletionCancelled',
  'MessageDeletionScheduled',
  'MessageDeletionWithdrawn',
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

/** The account changed: its sessions know it anew, and get USER_UPDATE, the complete private user object (reference gateway 2.3). */
export function accountChanged({ type, data, metadata }: Known<AccountChange>): Telling {
  const { accountId } = data
  return {
    accounts: [accountId],
    prepare: ({ account, world }) => {
      const record = account(accountId)
      return (scene) => {
        for (const session of world.sessionsOf(accountId)) session.account = record
        const sessions = scene.sessionsOf(accountId)
        return [
          {
            t: 'USER_UPDATE',
            guildId: null,
            audience: { kind: 'sessions', sessions },
            body: same(privateUserObject(record, metadata.at)),
          },
          // The settings show this too.
          ...(type === 'VoiceActivitySharingChosen' ? userSettingsUpdates(sessions, scene, metadata.at) : []),
        ]
      }
    },
  }
}

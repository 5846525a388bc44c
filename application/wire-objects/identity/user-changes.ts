import type { AccountEvent } from '../../../domain/account/events.ts'

/** The events that change the private user object. */
const userChanges = [
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

export type UserChange = (typeof userChanges)[number]

const types: ReadonlySet<string> = new Set(userChanges)

/** Whether sessions of the account get User Update after an event of this type. */
export function changesUser(type: string): boolean {
  return types.has(type)
}

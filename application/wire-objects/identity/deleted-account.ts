import { deletedIdentity } from '../../../domain/account/deleted-identity.ts'
import { systemAccountId, systemIdentity } from '../../../domain/account/system-account.ts'
import { newProfile } from '../../../domain/account/profile.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { noPremiumFields } from '../../../domain/premium/premium.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'

/** The record shown for an account that is gone, and for the service itself, which never has another one. */
export function deletedAccount(id: AccountId): AccountRecord {
  const isSystem = id === systemAccountId
  const identity = isSystem ? systemIdentity : deletedIdentity
  return {
    id,
    username: identity.username,
    discriminator: identity.discriminator,
    profile: newProfile(identity.globalName),
    email: null,
    emailVerified: false,
    emailBounced: false,
    isErased: true,
    hasPassword: false,
    hasSingleSignOn: false,
    passwordChangedAt: null,
    dateOfBirth: null,
    locale: 'en-US',
    flags: '0',
    premiumFlags: 0,
    premium: noPremiumFields,
    everyoneHasPremium: false,
    traits: [],
    bot: false,
    system: isSystem,
    botOwnerId: null,
    acls: [],
    bannedUntil: null,
    deletion: null,
    messageDeletion: null,
    registeredAt: timestamp(0),
    termsAcceptedAt: null,
    sharesVoiceActivity: false,
    voiceActivityChosenAt: null,
    secondFactors: { totp: false, passkeys_count: 0, usesPasskeys: false },
    delegationVersion: 0,
  }
}

import { deletedIdentity } from '../../domain/account/deleted-identity.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { SessionStarted } from '../../domain/account/session-events.ts'
import type { ProfileChanges } from '../../domain/account/profile.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { snowflakeMs } from '../../domain/ids/snowflake.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { snakeCased } from '../../domain/text/letter-case.ts'
import type { UserSettingsEvent } from '../../domain/user-settings/events.ts'
import { patch, projection, put, remove, removeWhere, type Row, type RowChange } from '../runner/projection.ts'
import { keptEndedSessions_max } from './session-queries.ts'
import { changed, standingOn } from './standing-projector.ts'

/** Accounts, by id and tag, with their sessions and passkeys. */
export const accountsProjection = projection<AccountEvent | UserSettingsEvent>({
  name: 'accounts',
  answers:
    'Accounts, who waits for approval, whose session a token hash is, which sessions ended last, and where the newest session of each account began.',
  version: 9,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    accounts: ['id'],
    sessions: ['token_hash'],
    session_log: ['token_hash'],
    last_addresses: ['account_id'],
    webauthn_credentials: ['account_id', 'credential_id'],
  },
  retains: { session_log: { group: 'account_id', newestBy: 'ended_at', rows_max: keptEndedSessions_max } },
  on: {
    AccountRegistered: ({ data }) => [
      put('accounts', {
        id: data.accountId,
        username: data.username,
        discriminator: data.discriminator,
        global_name: data.globalName,
        email: data.email,
        email_verified: data.emailVerified,
        has_password: data.passwordHash !== null,
        date_of_birth: data.dateOfBirth,
        locale: data.locale,
        registered_at: data.registeredAt,
        terms_accepted_at: data.termsAcceptedAt ?? null,
        admission: data.awaitsApproval === true ? 'pending' : 'admitted',
        registration_url_id: data.registrationUrlId ?? null,
        registered_from: data.clientIp ?? null,
        bot: data.botOwnerId !== undefined,
        bot_owner_id: data.botOwnerId ?? null,
      }),
    ],
    RegistrationApproved: ({ data }) => [changed(data, { admission: 'admitted', registered_from: null })],
    RegistrationRejected: ({ data }) => [changed(data, { admission: 'rejected', registered_from: null })],
    AclsGranted: ({ data }) => [changed(data, { acls: data.acls })],
    AclsSet: ({ data }) => [changed(data, { acls: data.acls })],
    TagChanged: ({ data }) => [changed(data, { username: data.username, discriminator: data.discriminator })],
    ProfileChanged: ({ data }) => (data.changes === null ? [] : [changed(data, profileColumns(data.changes))]),
    PasswordChanged: ({ data }) => [
      changed(data, { has_password: data.passwordHash !== null, password_changed_at: data.changedAt }),
    ],
    EmailAddressChanged: ({ data }) => [
      changed(data, {
        email: data.email,
        email_verified: data.verified,
        ...(data.keepsBounce === true ? {} : { email_bounced: false }),
      }),
    ],
    EmailAddressVerified: ({ data }) => [changed(data, { email_verified: true, email_bounced: false })],
    EmailAddressBounced: ({ data }) => [changed(data, { email_bounced: true })],
    ...standingOn,
    AnonymousAccountCreated: ({ data }) => [put('accounts', anonymousRow(data.accountId))],
    AccountErasureStarted: ({ data }) => [
      put('accounts', { ...anonymousRow(data.accountId), is_deleted: true }),
      removeWhere('sessions', { account_id: data.accountId }),
      removeWhere('session_log', { account_id: data.accountId }),
      removeWhere('last_addresses', { account_id: data.accountId }),
      removeWhere('webauthn_credentials', { account_id: data.accountId }),
    ],
    UserSettingsChanged: ({ data: { accountId, changes } }) =>
      changes.locale === undefined ? [] : [changed({ accountId }, { locale: changes.locale })],
    TermsAccepted: ({ data }) => [changed(data, { terms_accepted_at: data.acceptedAt })],
    TotpEnabled: ({ data }) => [changed(data, { totp: true })],
    TotpDisabled: ({ data }) => [changed(data, { totp: false })],
    PasskeysChosenAsSecondFactor: ({ data }) => [changed(data, { uses_passkeys: data.chosen })],
    VoiceActivitySharingChosen: ({ data }) => [
      changed(data, { shares_voice_activity: data.shared, voice_activity_chosen_at: data.chosenAt }),
    ],
    SingleSignOnLinked: ({ data }) => [changed(data, { single_sign_on: true })],
    SingleSignOnUnlinked: ({ data }) => [changed(data, { single_sign_on: data.othersStay })],
    WebAuthnCredentialRegistered: ({ data }) => [
      put('webauthn_credentials', { ...keyOf(data), name: data.name ?? '', registered_at: data.registeredAt }),
    ],
    WebAuthnCredentialRenamed: ({ data }) => [patch('webauthn_credentials', keyOf(data), { name: data.name ?? '' })],
    WebAuthnCredentialUsed: ({ data }) => [patch('webauthn_credentials', keyOf(data), { last_used_at: data.usedAt })],
    WebAuthnCredentialRemoved: ({ data }) => [remove('webauthn_credentials', keyOf(data))],
    SessionStarted: ({ data }) => [
      put('sessions', sessionRow(data)),
      put('session_log', sessionRow(data)),
      ...(data.ip === null ? [] : [put('last_addresses', { account_id: data.accountId, ip: data.ip })]),
    ],
    SessionEnded: ({ data, metadata }) => sessionEnded(data.tokenHash, metadata.at),
    DelegationsEnded: ({ data }) => [changed(data, { delegation_version: data.version })],
    SessionsEnded: ({ data, metadata }) =>
      data.tokenHashes.flatMap((tokenHash) => sessionEnded(tokenHash, metadata.at)),
  },
})

/**
 * The row of an account that nobody holds: every column gets its default again. The time of its registration follows
 * from its id. The row of an erased account also has the flag DELETED.
 */
function anonymousRow(id: AccountId): Row {
  const { username, discriminator, globalName: global_name } = deletedIdentity
  return {
    id,
    username,
    discriminator,
    global_name,
    email: null,
    email_verified: false,
    has_password: false,
    date_of_birth: null,
    locale: 'en-US',
    registered_at: timestamp(snowflakeMs(id)),
    is_erased: true,
  }
}

const sessionRow = ({ tokenHash, accountId, startedAt, ip, userAgent }: SessionStarted): Row => ({
  token_hash: tokenHash,
  account_id: accountId,
  started_at: startedAt,
  ip,
  user_agent: userAgent,
})

const sessionEnded = (tokenHash: string, at: Timestamp): readonly RowChange[] => [
  remove('sessions', { token_hash: tokenHash }),
  patch('session_log', { token_hash: tokenHash }, { ended_at: at }),
]

const keyOf = ({ accountId, credentialId }: { readonly accountId: AccountId; readonly credentialId: string }) => ({
  account_id: accountId,
  credential_id: credentialId,
})

/** Each member of the profile has a column of the same name. */
const profileColumns = (changes: ProfileChanges): Row => snakeCased(changes)

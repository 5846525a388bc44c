import type { AccountEvent } from '../../domain/account/events.js'
import type { ProfileChanges } from '../../domain/account/profile.js'
import type { AccountId } from '../../domain/ids/ids.js'
import { patch, projection, put, remove, type Row, type RowChange } from '../runner/projection.js'

/** Accounts, by id and tag, their live sessions and their passkeys. */
export const accountsProjection = projection<AccountEvent>({
  name: 'accounts',
  version: 3,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    accounts: ['id'],
    sessions: ['token_hash'],
    webauthn_credentials: ['account_id', 'credential_id'],
  },
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
      }),
    ],
    AclsGranted: ({ data }) => [changed(data, { acls: data.acls })],
    TagChanged: ({ data }) => [changed(data, { username: data.username, discriminator: data.discriminator })],
    ProfileChanged: ({ data }) => [changed(data, profileColumns(data.changes))],
    PasswordChanged: ({ data }) => [
      changed(data, { has_password: data.passwordHash !== null, password_changed_at: data.changedAt }),
    ],
    EmailAddressChanged: ({ data }) => [changed(data, { email: data.email, email_verified: data.verified })],
    EmailAddressVerified: ({ data }) => [changed(data, { email_verified: true })],
    AccountDisabled: ({ data }) => [changed(data, { is_disabled: true })],
    AccountEnabled: ({ data }) => [changed(data, { is_disabled: false })],
    SelfDeletionScheduled: ({ data }) => [changed(data, { self_deletion_due_at: data.dueAt })],
    SelfDeletionCancelled: ({ data }) => [changed(data, { self_deletion_due_at: null })],
    TermsAccepted: ({ data }) => [changed(data, { terms_accepted_at: data.acceptedAt })],
    TotpEnabled: ({ data }) => [changed(data, { totp: true })],
    TotpDisabled: ({ data }) => [changed(data, { totp: false })],
    PasskeysChosenAsSecondFactor: ({ data }) => [changed(data, { uses_passkeys: data.chosen })],
    WebAuthnCredentialRegistered: ({ data }) => [
      put('webauthn_credentials', { ...keyOf(data), name: data.name, registered_at: data.registeredAt }),
    ],
    WebAuthnCredentialRenamed: ({ data }) => [patch('webauthn_credentials', keyOf(data), { name: data.name })],
    WebAuthnCredentialUsed: ({ data }) => [patch('webauthn_credentials', keyOf(data), { last_used_at: data.usedAt })],
    WebAuthnCredentialRemoved: ({ data }) => [remove('webauthn_credentials', keyOf(data))],
    SessionStarted: ({ data }) => [
      put('sessions', {
        token_hash: data.tokenHash,
        account_id: data.accountId,
        started_at: data.startedAt,
        ip: data.ip,
        user_agent: data.userAgent,
      }),
    ],
    SessionEnded: ({ data }) => [remove('sessions', { token_hash: data.tokenHash })],
  },
})

const changed = ({ accountId }: { readonly accountId: AccountId }, columns: Row): RowChange =>
  patch('accounts', { id: accountId }, columns)

const keyOf = ({ accountId, credentialId }: { readonly accountId: AccountId; readonly credentialId: string }) => ({
  account_id: accountId,
  credential_id: credentialId,
})

/** A member of the profile stands in the column of its name. */
function profileColumns(changes: ProfileChanges): Row {
  const columnOf = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(changes).map(([member, value]) => [columnOf(member), value]))
}

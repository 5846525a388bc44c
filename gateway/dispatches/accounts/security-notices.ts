import type { AccountId, AdminKeyId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { KnownEvent } from '../../visibility/known-event.ts'
import { same } from '../dispatch.ts'
import { telling, untold, type Telling } from '../telling.ts'

/** The kinds of changes to how an account is signed in to that its sessions are notified of. */
type SecurityNoticeKind =
  | 'new_sign_in'
  | 'passkey_registered'
  | 'totp_enabled'
  | 'totp_disabled'
  | 'backup_codes_replaced'
  | 'recovery_kit_created'
  | 'admin_key_created'

/** `d` of AUTH_SECURITY_NOTICE: names its object by id; clients read the object where it is shown. */
interface SecurityNotice {
  readonly kind: SecurityNoticeKind
  readonly at: Timestamp
  /** The session that began; null for all other kinds. */
  readonly session_id_hash: string | null
  /** The passkey; null for all other kinds. */
  readonly credential_id: string | null
  /** The Admin key; null for all other kinds. */
  readonly key_id: AdminKeyId | null
}

type About = Partial<Pick<SecurityNotice, 'session_id_hash' | 'credential_id' | 'key_id'>>

/**
 * AUTH_SECURITY_NOTICE to the sessions of the event's account, including the one that caused it; a session that has just begun
 * gets none about itself. Bots are only notified about their own account, which never signs in. Decision 53.
 */
export function securityNotices(event: KnownEvent): Telling {
  switch (event.type) {
    case 'SessionStarted':
      if (event.data.fromUnknownNetwork !== true) return untold
      return noticeOf(event, 'new_sign_in', { session_id_hash: event.data.tokenHash })
    case 'WebAuthnCredentialRegistered':
      return noticeOf(event, 'passkey_registered', { credential_id: event.data.credentialId })
    case 'TotpEnabled':
      return noticeOf(event, 'totp_enabled')
    case 'TotpDisabled':
      return noticeOf(event, 'totp_disabled')
    case 'BackupCodesRevoked':
      return noticeOf(event, 'backup_codes_replaced')
    case 'RecoveryKitCreated':
      return noticeOf(event, 'recovery_kit_created')
    case 'AdminKeyCreated':
      return noticeOf(event, 'admin_key_created', { key_id: event.data.keyId })
    default:
      return untold
  }
}

interface OfAccount {
  readonly data: { readonly accountId: AccountId }
  readonly metadata: KnownEvent['metadata']
}

function noticeOf({ data, metadata }: OfAccount, kind: SecurityNoticeKind, about: About = {}): Telling {
  const nothing = { session_id_hash: null, credential_id: null, key_id: null }
  const notice: SecurityNotice = { kind, at: metadata.at, ...nothing, ...about }
  return telling(['AUTH_SECURITY_NOTICE'], ({ sessionsOf }) => {
    const sessions = sessionsOf(data.accountId).filter(({ account }) => !account.bot)
    return [{ t: 'AUTH_SECURITY_NOTICE', guildId: null, audience: { kind: 'sessions', sessions }, body: same(notice) }]
  })
}

import type { ApplicationId } from '../domain/ids/ids.ts'
import type { Timestamp } from '../domain/kernel/timestamp.ts'
import { undeclaredBits } from '../domain/permissions/written-mask.ts'
import type { CommandContext } from './commands/command-context.ts'
import type { Viewer } from './wire-objects/communities/guild-objects.ts'
import type { AccountRecord } from './ports/queries/account-queries.ts'

/** Any request, with or without a credential. */
export interface Requester {
  readonly context: CommandContext
  /** The client's address: the socket's, or the one that a trusted proxy names. */
  readonly ip: string
  /** At most 512 characters. */
  readonly userAgent: string | null
  /** The capabilities that the request declares in X-Service-Features, in lower case. */
  readonly capabilities: ReadonlySet<string>
  /** The best match of Accept-Language. */
  readonly locale: string
  /**
   * The Authorization header as sent. Two kinds of operations parse it by their own rules: Get bot gateway, and those that
   * authenticate OAuth2 clients.
   */
  readonly authorization: string | null
}

/** A request whose credential names an account. */
export interface Caller extends Requester {
  readonly account: AccountRecord
  readonly credential: Credential
}

/** The account that acts, by which command: a request's, or one of a job that the account has requested. */
export interface Acting {
  readonly account: Pick<AccountRecord, 'id'>
  readonly context: CommandContext
}

export type Credential =
  /** `tokenHash`: base64url SHA-256 of the session's token. */
  | { readonly kind: 'session'; readonly tokenHash: string }
  | { readonly kind: 'bot' }
  | {
      readonly kind: 'bearer'
      readonly applicationId: ApplicationId
      readonly scopes: ReadonlySet<string>
      /** Whether the token was issued to an Admin OAuth2 application: the console, or the one that the operator names. */
      readonly isAdminApplication: boolean
      readonly expiresAt: Timestamp
      /** The session of the account that the token ends with, by the hash of its token; absent if it ends with none. */
      readonly sessionHash?: string
    }
  /** An Admin key acts for the account that made it, within the key's own ACLs, and only below /v1/admin. */
  | { readonly kind: 'admin_key'; readonly keyId: string; readonly acls: readonly string[] }
  /** An operator at the command line, without an account. No request over HTTP has it. */
  | { readonly kind: 'command_line' }

/** A bot always has thread access. A user has it when its session declares channel_threads. */
export function viewerOf(caller: Pick<Caller, 'credential' | 'capabilities'>): Viewer {
  const { credential, capabilities } = caller
  return {
    threadAccess: credential.kind === 'bot' || (credential.kind === 'session' && capabilities.has('channel_threads')),
  }
}

/**
 * The permission bits that a write by the caller leaves unchanged, since its client does not declare them
 * (rules/roles-and-permissions#masks).
 */
export function undeclaredBitsOf(caller: Pick<Caller, 'credential' | 'capabilities'>): bigint {
  return undeclaredBits({
    threads: viewerOf(caller).threadAccess,
    channelMembers: caller.capabilities.has('view_channel_members_permission'),
  })
}

import type { Credential } from '../../../application/caller.ts'
import type { AccessTokens, AdminKeys, BotTokens } from '../../../application/ports/credentials.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { SessionTokens } from '../../../application/ports/session-tokens.ts'

/** The account that a request's credential names. */
export interface Authenticated {
  readonly account: AccountRecord
  readonly credential: Credential
}

/** How an operation reads its credential. */
export interface CredentialRules {
  /** Whether the operation is below /v1/admin. Everywhere else an Admin key is no credential. */
  readonly adminKeys: boolean
  /** Whether `bot` and `bearer` are accepted in any case. */
  readonly schemesInAnyCase: boolean
}

/**
 * Resolves an Authorization header (rules/http-and-limits#credentials). Undefined if it does not resolve, for any
 * reason; an operation that needs no account ignores that.
 */
export type ResolveCredential = (
  authorization: string | undefined,
  rules: CredentialRules,
) => Promise<Authenticated | undefined>

/** The lookups for each kind of token. */
export interface CredentialSources {
  readonly sessions: SessionTokens
  readonly bots: BotTokens
  readonly accessTokens: AccessTokens
  readonly adminKeys: AdminKeys
}

const sessionToken = /^gld_[A-Za-z0-9]{36}$/
const botToken = /^\d{1,20}\.[A-Za-z0-9_-]{43}$/
const accessToken = /^[A-Za-z0-9_-]{43}$/
const adminKey = /^gla_\d{1,20}_[A-Za-z0-9]{32}$/
const schemed = /^(?<scheme>[A-Za-z]+) (?<token>.*)$/s

/** Resolves credentials of every kind. A token that does not match its scheme's format is rejected without a lookup. */
export function credentialsOf(sources: CredentialSources): ResolveCredential {
  const session = async (token: string): Promise<Authenticated | undefined> => {
    const found = sessionToken.test(token) ? await sources.sessions.resolve(token) : undefined
    return found && { account: found.account, credential: { kind: 'session', tokenHash: found.tokenHash } }
  }
  return async (authorization, rules) => {
    if (authorization === undefined) return undefined
    const { scheme, token } = partsOf(authorization, rules)
    switch (scheme) {
      case 'Bot':
        return botBehind(sources, token)
      case 'Bearer':
        // A session token after Bearer counts as the session (rule 3).
        return sessionToken.test(token) ? session(token) : grantBehind(sources, token)
      case 'Admin':
        return rules.adminKeys ? keyBehind(sources, token) : undefined
      case null:
        return session(token)
      default:
        return undefined
    }
  }
}

const schemes: readonly string[] = ['Bot', 'Bearer', 'Admin']

/** Without a known scheme, the whole value is a token. A session token contains no space. */
function partsOf(
  authorization: string,
  { schemesInAnyCase }: CredentialRules,
): { readonly scheme: string | null; readonly token: string } {
  const parts = schemed.exec(authorization)?.groups
  const given = parts?.['scheme'] ?? ''
  const scheme = schemes.find((one) => one === given || (schemesInAnyCase && one.toLowerCase() === given.toLowerCase()))
  return scheme === undefined ? { scheme: null, token: authorization } : { scheme, token: parts?.['token'] ?? '' }
}

async function botBehind({ bots }: CredentialSources, token: string): Promise<Authenticated | undefined> {
  const found = botToken.test(token) ? await bots.resolve(token) : undefined
  return found && { account: found.account, credential: { kind: 'bot' } }
}

async function grantBehind({ accessTokens }: CredentialSources, token: string): Promise<Authenticated | undefined> {
  const found = accessToken.test(token) ? await accessTokens.resolve(token) : undefined
  if (!found) return undefined
  const { account, ...grant } = found
  return { account, credential: { kind: 'bearer', ...grant } }
}

async function keyBehind({ adminKeys }: CredentialSources, token: string): Promise<Authenticated | undefined> {
  const found = adminKey.test(token) ? await adminKeys.resolve(token) : undefined
  return found && { account: found.account, credential: { kind: 'admin_key', keyId: found.keyId, acls: found.acls } }
}

import type { ApplicationId } from '../../../domain/ids/ids.ts'
import { covers, parseScopes } from '../../../domain/oauth2-authorization/scopes.ts'
import type { Caller, Requester } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { consoleApplicationId } from '../console/console-application.ts'
import { issueCode } from './authorization-code.ts'
import type { ProofKeyChallenge } from './proof-key.ts'
import { consentPage, redirectTo } from './redirect-to.ts'

/** What an application requests from an account. */
export interface AuthorizationWishes {
  readonly clientId: ApplicationId
  readonly redirectUri: string | null
  /** As sent; parseScopes parses it. */
  readonly scope: string
  readonly state: string | null
  readonly codeChallenge: string | null
  /** Null if not given, which means plain. */
  readonly codeChallengeMethod: ProofKeyChallenge['method'] | null
}

export interface AuthorizeQuery extends AuthorizationWishes {
  readonly prompt: 'consent' | 'none' | null
  /** All known parameters as sent, by name. They are passed to the page of the web application. */
  readonly parameters: Readonly<Record<string, string>>
}

type Needs = Pick<Ports, 'instance' | 'queries' | 'tickets'>
type Anyone = Requester & Partial<Pick<Caller, 'account' | 'credential'>>

/**
 * Gives the URL to redirect a browser to: the consent page or, with prompt=none, back to the application with a code or
 * an error. Redirects only to registered URLs of the application, compared byte by byte, and to the web application.
 * See rules/applications#authorise.
 */
export function authorize(ports: Needs) {
  return async (caller: Anyone, query: AuthorizeQuery): Promise<{ readonly location: string }> => {
    const { prompt, parameters, state } = query
    if (prompt !== 'none') return { location: consentPage(ports.instance, parameters) }
    const redirectUri = await registeredUri(ports, query)
    const answer = await withoutAsking(ports, caller, query, redirectUri)
    const location =
      redirectUri === null
        ? consentPage(ports.instance, { ...answer, state })
        : redirectTo(redirectUri, { ...answer, state })
    return { location }
  }
}

/** A challenge without a method is plain (RFC 7636, 4.3). */
export function proofKeyOf({ codeChallenge, codeChallengeMethod }: AuthorizationWishes): ProofKeyChallenge | null {
  return codeChallenge === null ? null : { challenge: codeChallenge, method: codeChallengeMethod ?? 'plain' }
}

async function registeredUri({ queries }: Needs, { clientId, redirectUri }: AuthorizeQuery): Promise<string | null> {
  const application = await queries.applications.find(clientId)
  return redirectUri !== null && application?.redirectUris.includes(redirectUri) === true ? redirectUri : null
}

/** A code, if the account has already consented to everything. Adding a bot always asks. */
async function withoutAsking(
  ports: Needs,
  caller: Anyone,
  query: AuthorizeQuery,
  redirectUri: string | null,
): Promise<{ readonly code: string } | { readonly error: 'login_required' | 'consent_required' }> {
  const { account, credential } = caller
  if (!account || credential?.kind !== 'session') return { error: 'login_required' }
  const consentRequired = { error: 'consent_required' } as const
  const scopes = parseScopes(query.scope)
  // Whoever signs in to the console does so on its own page.
  if (query.clientId === consoleApplicationId) return consentRequired
  if (redirectUri === null || !scopes || scopes.includes('bot')) return consentRequired
  const authorization = await ports.queries.oauth2.authorization(account, query.clientId)
  if (!authorization || !covers(authorization.scopes, scopes)) return consentRequired
  const { id: accountId, delegationVersion } = account
  const parties = { accountId, applicationId: query.clientId, delegationVersion }
  return { code: await issueCode(ports, { ...parties, scopes, redirectUri, proofKey: proofKeyOf(query) }) }
}

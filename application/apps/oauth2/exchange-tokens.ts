import { authorizationId, type AccountId, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { PresentedToken } from '../../../domain/oauth2-authorization/commands.ts'
import { scopeText, type Scope } from '../../../domain/oauth2-authorization/scopes.ts'
import { spokenFor } from '../../access/spoken-for.ts'
import type { Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import { keyedQueue } from '../../commands/keyed-queue.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import { keyedHash, keyOf } from '../../secrets/keys.ts'
import { newSecret, secretHash } from '../../secrets/secret-hash.ts'
import { useCode } from './authorization-code.ts'
import { authenticateClient, type ClientFields } from './client-authentication.ts'
import { provesKey } from './proof-key.ts'
import { rejectOAuth2 } from './protocol-error.ts'
import { familyHash, nextRefreshToken } from './token-family.ts'
import { accessToken_s, refreshToken_s } from './token-lifetimes.ts'

/** What a client gives for tokens. */
export type PresentedGrant =
  | {
      readonly grantType: 'authorization_code'
      readonly code: string
      readonly redirectUri: string
      readonly codeVerifier: string | null
    }
  | { readonly grantType: 'refresh_token'; readonly refreshToken: string }

/** The parsed form of the token endpoint. */
export type TokenForm = ClientFields & PresentedGrant

/** A client that has proved who it is, or that has nothing to prove it by. */
export interface Client extends Pick<ApplicationRecord, 'id'> {
  /** Whether a refresh token that it sends twice within 30 s gives tokens both times. */
  readonly givesToRepeats?: true
}

/** What a client gets for a code or a refresh token; `expires_in` in seconds. */
export interface TokenObject {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export type TokenNeeds = Pick<Ports, 'aggregates' | 'events' | 'queries' | 'readModels' | 'tickets'>

/**
 * Gives a client that proves who it is what `tokensFor` gives. Refuses with invalid_client, then invalid_grant. See
 * rules/applications#tokens.
 */
export function exchangeTokens(ports: TokenNeeds) {
  const give = tokensFor(ports)
  return async (caller: Requester, form: TokenForm): Promise<TokenObject> =>
    give(await authenticateClient(ports, caller, form), caller, form)
}

/**
 * Gives a client tokens for an authorisation code or a refresh token. Each can be used once. A second use is refused,
 * and revokes what the first gave, because either user may be the thief; a refresh token that comes again within 30 s
 * from the same client and address revokes nothing. Refuses with invalid_grant. See decision 20.
 */
export function tokensFor(ports: TokenNeeds) {
  // The first use of a code finishes issuing its tokens before the next use revokes them. Otherwise nobody might get any tokens.
  const codesInTurn = keyedQueue()
  return async (client: Client, caller: Requester, grant: PresentedGrant): Promise<TokenObject> => {
    const context = asClient(caller.context, client)
    return grant.grantType === 'authorization_code'
      ? codesInTurn.run(grant.code, () => exchangeCode(ports, client, grant, context))
      : refresh(ports, client, grant.refreshToken, caller.ip, context)
  }
}

/** No account sends such a request: the application does. */
function asClient(context: CommandContext, { id }: Client): CommandContext {
  return contextWith(context, { actor: { kind: 'system', name: `application ${id}` } })
}

/** The code is used up before anything is compared, so that a wrong request cannot try again with it. */
async function exchangeCode(
  ports: TokenNeeds,
  client: Client,
  form: Extract<PresentedGrant, { readonly grantType: 'authorization_code' }>,
  context: CommandContext,
): Promise<TokenObject> {
  const grant = await useCode(ports, form.code, context)
  if (!grant) return invalidGrant()
  if (grant.usedBy !== context.commandId) return endFamily(ports, grant, familyHash(form.code), null, context)
  if (grant.applicationId !== client.id) return invalidGrant()
  if (grant.redirectUri !== form.redirectUri) return invalidGrant()
  if (!provesKey(form.codeVerifier, grant.proofKey)) return invalidGrant()
  const { accountId, scopes, delegationVersion = 0, sessionHash } = grant
  await requireSpeaksFor(ports, { accountId, delegationVersion, sessionHash: sessionHash ?? null }, context)
  const ofSession = sessionHash === undefined ? {} : { sessionHash }
  const pair = newPair(form.code, context)
  const isIssued = await isDecided('UNKNOWN_APPLICATION', () =>
    ports.aggregates.oauth2Authorization.execute(
      authorizationId(accountId, client.id),
      { type: 'IssueTokens', scopes, delegationVersion, ...ofSession, ...hashesOf(pair, context), now: context.now },
      context,
    ),
  )
  if (!isIssued) return invalidGrant()
  return tokenObject(pair, scopes)
}

/** If several requests present the same token at once, the authorisation's stream decides which one gets it. */
async function refresh(
  ports: TokenNeeds,
  client: Client,
  refreshToken: string,
  ip: string,
  context: CommandContext,
): Promise<TokenObject> {
  const presented = { hash: secretHash(refreshToken), addressHash: addressHashOf(ip, refreshToken) }
  const { oauth2 } = ports.queries
  const grant = (await oauth2.token(presented.hash)) ?? (await oauth2.family(familyHash(refreshToken)))
  if (grant?.applicationId !== client.id) return invalidGrant()
  await requireSpeaksFor(ports, grant, context)
  const { delegationVersion } = grant
  const { givesToRepeats } = client
  const terms = { presented, delegationVersion, ...(givesToRepeats && { givesToRepeats }) }
  const pair = newPair(refreshToken, context)
  const isRefreshed = await isDecided('INVALID_TOKEN', () =>
    ports.aggregates.oauth2Authorization.execute(
      authorizationId(grant.accountId, client.id),
      { type: 'RefreshTokens', ...terms, ...hashesOf(pair, context), now: context.now },
      context,
    ),
  )
  if (!isRefreshed) return endFamily(ports, grant, familyHash(refreshToken), presented, context)
  return tokenObject(pair, grant.scopes)
}

/** Only who has the token can tell whether an address is the one that this hash was made of. */
function addressHashOf(ip: string, refreshToken: string): string {
  return keyedHash(keyOf(Buffer.from(refreshToken)), networkOf(ip, oneClient)).toString('base64url')
}

/** A code or token used again may be stolen: has the domain revoke everything that came from it, and refuses with invalid_grant. */
async function endFamily(
  { aggregates }: TokenNeeds,
  { accountId, applicationId }: { readonly accountId: AccountId; readonly applicationId: ApplicationId },
  family: string,
  presented: PresentedToken | null,
  context: CommandContext,
): Promise<never> {
  await aggregates.oauth2Authorization.execute(
    authorizationId(accountId, applicationId),
    { type: 'EndTokenFamily', familyHash: family, presented, now: context.now },
    context,
  )
  return invalidGrant()
}

interface Pair {
  readonly accessToken: string
  readonly refreshToken: string
}

function newPair(codeOrToken: string, context: CommandContext): Pair {
  return { accessToken: newSecret(context), refreshToken: nextRefreshToken(context, codeOrToken) }
}

function hashesOf({ accessToken, refreshToken }: Pair, { now }: CommandContext) {
  return {
    familyHash: familyHash(refreshToken),
    accessTokenHash: secretHash(accessToken),
    accessExpiresAt: secondsAfter(now, accessToken_s),
    refreshTokenHash: secretHash(refreshToken),
    refreshExpiresAt: secondsAfter(now, refreshToken_s),
  }
}

function tokenObject({ accessToken, refreshToken }: Pair, scopes: readonly Scope[]): TokenObject {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessToken_s,
    refresh_token: refreshToken,
    scope: scopeText(scopes),
  }
}

async function requireSpeaksFor(
  ports: TokenNeeds,
  grant: Parameters<ReturnType<typeof spokenFor>>[0],
  { now }: CommandContext,
): Promise<void> {
  if (!(await spokenFor(ports)(grant, now))) invalidGrant()
}

/** Whether the domain accepts; false if it refuses with this code. */
async function isDecided(code: ErrorCode, execute: () => Promise<unknown>): Promise<boolean> {
  try {
    await execute()
    return true
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === code) return false
    throw error
  }
}

function invalidGrant(): never {
  return rejectOAuth2('invalid_grant', 'This code or token serves nobody, or not this client in this way.')
}

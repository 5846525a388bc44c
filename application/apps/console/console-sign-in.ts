import { authorizationId } from '../../../domain/ids/ids.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { secretHash } from '../../secrets/secret-hash.ts'
import { tokensFor, type Client, type TokenNeeds, type TokenObject } from '../oauth2/exchange-tokens.ts'
import { familyHash } from '../oauth2/token-family.ts'
import { consoleApplicationId, consoleRedirectUri } from './console-application.ts'

/** It has no secret: its code reaches no other address, and only who began the sign-in has the verifier. */
const client: Client = { id: consoleApplicationId, givesToRepeats: true }

/** What a sign-in on the sign-in page of the console gave, and what its browser kept meanwhile. */
export interface ConsoleCode {
  readonly code: string
  readonly codeVerifier: string
}

/** Gives the console its tokens for the code of a sign-in. Refuses with UNAUTHORIZED. See rules/applications#the-console. */
export function beginConsoleSignIn(ports: TokenNeeds & Pick<Ports, 'instance'>) {
  const give = tokensFor(ports)
  return (caller: Requester, { code, codeVerifier }: ConsoleCode): Promise<TokenObject> => {
    const redirectUri = consoleRedirectUri(ports.instance)
    return orUnauthorized(give(client, caller, { grantType: 'authorization_code', code, redirectUri, codeVerifier }))
  }
}

/**
 * Gives the console new tokens for its refresh token. A token that two tabs send at once gives tokens to both. Refuses with
 * UNAUTHORIZED once the sign-in is over.
 */
export function refreshConsoleSignIn(ports: TokenNeeds) {
  const give = tokensFor(ports)
  return (caller: Requester, refreshToken: string | null): Promise<TokenObject> =>
    refreshToken === null
      ? reject('UNAUTHORIZED')
      : orUnauthorized(give(client, caller, { grantType: 'refresh_token', refreshToken }))
}

/** Ends a sign-in of the console: its tokens, and the session of the account that it is. Without a token of one, nothing ends. */
export function endConsoleSignIn({ aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>) {
  return async ({ context }: Requester, refreshToken: string | null): Promise<void> => {
    if (refreshToken === null) return
    const family = familyHash(refreshToken)
    const token = (await queries.oauth2.token(secretHash(refreshToken))) ?? (await queries.oauth2.family(family))
    if (token?.applicationId !== consoleApplicationId) return
    const { accountId, sessionHash } = token
    const byHolder = contextWith(context, { actor: { kind: 'account', id: accountId } })
    await aggregates.oauth2Authorization.execute(
      authorizationId(accountId, consoleApplicationId),
      { type: 'EndTokenFamily', familyHash: family, presented: null, now: context.now },
      byHolder,
    )
    if (sessionHash === null) return
    await aggregates.account.execute(accountId, { type: 'EndSession', tokenHash: sessionHash }, byHolder)
  }
}

/** The console speaks no OAuth2 with its server: whatever is wrong with a grant, nobody is signed in. */
async function orUnauthorized<Given>(giving: Promise<Given>): Promise<Given> {
  try {
    return await giving
  } catch (error) {
    if (error instanceof Refused && error.refusal.oauth2) return reject('UNAUTHORIZED')
    throw error
  }
}

import { field } from '../../../domain/kernel/refusal.ts'
import type { Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import type { Instance, Ports } from '../../ports.ts'
import { clientIn, defaultRedirectUri } from './sign-on-policy.ts'
import { signOnState, signOnState_s } from './sign-on-state.ts'

export interface SignOnWishes {
  /** Where the client goes after the sign-in; stored only if it is safe. */
  readonly redirectTo: string | null
  readonly redirectUri: string | null
}

/** Where the client goes on: to the provider. */
export interface StartedSignOn {
  readonly authorization_url: string
  /** Names this sign-in: the provider hands it back to the client, which sends it with the code. Valid for `signOnState_s`. */
  readonly state: string
  readonly redirect_uri: string
}

const redirectTo_characters_max = 2048
const secret_bytes = 32

/**
 * Starts a sign-on with the provider. Refuses with FEATURE_TEMPORARILY_DISABLED if single sign-on is off or incomplete,
 * or its provider can't be reached, and with INVALID_FORM_BODY with INVALID_URL_FORMAT on `redirect_uri`. See
 * rules/credentials#single-sign-on.
 */
export function startSignOn(ports: Pick<Ports, 'instance' | 'instancePolicies' | 'openIdProvider' | 'tickets'>) {
  return async ({ context }: Requester, wishes: SignOnWishes): Promise<StartedSignOn> => {
    const { singleSignOn: policy } = await ports.instancePolicies.current()
    const client = clientIn(policy)
    if (!client) return reject('FEATURE_TEMPORARILY_DISABLED')
    const redirectUri = wishedRedirectUri(policy, ports.instance, wishes)
    const secret = (): string => Buffer.from(context.randomBytes(secret_bytes)).toString('base64url')
    const secrets = { redirectUri, nonce: secret(), codeVerifier: secret() }
    const { issuer, clientId } = client
    const begun = { ...secrets, issuer, clientId, redirectTo: safeRedirect(wishes.redirectTo) }
    const state = await ports.tickets.issue(signOnState, begun, signOnState_s)
    const url = await ports.openIdProvider.authorizationUrl(client, { ...secrets, state })
    if (!url.ok) {
      await ports.tickets.take(signOnState, state)
      return reject('FEATURE_TEMPORARILY_DISABLED')
    }
    return { authorization_url: url.value, state, redirect_uri: redirectUri }
  }
}

/** The instance's own URL, or the deep link of its mobile applications: codes go nowhere else. */
function wishedRedirectUri(
  policy: SingleSignOnPolicy,
  instance: Instance,
  { redirectUri: wish }: SignOnWishes,
): string {
  const own = defaultRedirectUri(policy, instance)
  if (wish === null || wish === own) return own
  if (wish === `${instance.serviceName}://auth/sso/callback`) return wish
  return reject('INVALID_FORM_BODY', field('redirect_uri', 'INVALID_URL_FORMAT'))
}

/**
 * A path on the client's own site; empty if it might lead elsewhere. Browsers read a backslash as a slash, and ignore control
 * characters.
 */
export function safeRedirect(path: string | null): string {
  if (path === null || path.length > redirectTo_characters_max) return ''
  return /^\/(?![/\\])[^\p{Cc}]*$/u.test(path) ? path : ''
}

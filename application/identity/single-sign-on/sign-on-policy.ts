import type { SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import type { OpenIdClient } from '../../ports/openid-provider.ts'
import type { Instance, Ports } from '../../ports.ts'

/** What clients need to know of single sign-on; the discovery document has it as well. */
export function signOnStatusObject(policy: SingleSignOnPolicy, instance: Pick<Instance, 'webappUrl'>) {
  return {
    enabled: policy.enabled,
    enforced: isEnforced(policy),
    display_name: policy.displayName,
    redirect_uri: defaultRedirectUri(policy, instance),
  }
}

export type SignOnStatus = ReturnType<typeof signOnStatusObject>

/** Whether all other ways to sign in are closed. */
export function isEnforced({ enabled, enforced }: SingleSignOnPolicy): boolean {
  return enabled && enforced
}

/**
 * Reads from the policy whether all other ways to sign in are closed, with SSO_REQUIRED
 * (rules/credentials#gate-of-single-sign-on).
 */
export function signOnEnforcement({ instancePolicies }: Pick<Ports, 'instancePolicies'>) {
  return async (): Promise<boolean> => isEnforced((await instancePolicies.current()).singleSignOn)
}

/** Whether, and how, people sign in through their organisation. */
export function getSignOnStatus({ instancePolicies, instance }: Pick<Ports, 'instancePolicies' | 'instance'>) {
  return async (): Promise<SignOnStatus> =>
    signOnStatusObject((await instancePolicies.current()).singleSignOn, instance)
}

/** The URL to which a provider redirects people who do not use a mobile application. */
export function defaultRedirectUri(
  { redirectUri }: Pick<SingleSignOnPolicy, 'redirectUri'>,
  { webappUrl }: Pick<Instance, 'webappUrl'>,
): string {
  return redirectUri ?? `${webappUrl}/auth/sso/callback`
}

/** The provider's client as in the policy; undefined if single sign-on is off or the policy is incomplete. */
export function clientIn(policy: SingleSignOnPolicy): OpenIdClient | undefined {
  const { enabled, issuer, clientId, authorizationUrl, tokenUrl, userinfoUrl, jwksUrl, clientSecret, scope } = policy
  if (!enabled || issuer === null || clientId === null) return undefined
  return { issuer, clientId, authorizationUrl, tokenUrl, userinfoUrl, jwksUrl, clientSecret, scope }
}

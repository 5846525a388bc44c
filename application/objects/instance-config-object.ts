import type { InstancePolicy, SingleSignOnPolicy } from '../../domain/instance/policy.js'

/** What holds on the instance, as operators read it (reference identity 8.6, config object). Secrets are not in it. */
export function instanceConfigObject(
  policy: InstancePolicy,
  { identityIsFixed, hosted }: { readonly identityIsFixed: boolean; readonly hosted: boolean },
) {
  const { registration, accountIdentity, legal } = policy
  return {
    sso: ssoObject(policy.singleSignOn),
    registration: { mode: registration.mode, admin_registration_urls_enabled: registration.urlsEnabled },
    self_hosted: !hosted,
    account_identity: {
      mode: accountIdentity.signIn,
      locked: identityIsFixed,
      tag_style: accountIdentity.tagStyle,
    },
    app_public: {
      legal: { terms_url: legal.termsUrl, privacy_url: legal.privacyUrl, guidelines_url: legal.guidelinesUrl },
      registration: { collect_date_of_birth: registration.collectDateOfBirth },
    },
    integrations: { email: { disable_new_ip_authorization: !policy.ipAuthorization } },
  }
}

export type InstanceConfigObject = ReturnType<typeof instanceConfigObject>

function ssoObject(policy: SingleSignOnPolicy) {
  return {
    enabled: policy.enabled,
    enforced: policy.enforced,
    display_name: policy.displayName,
    issuer: policy.issuer,
    authorization_url: policy.authorizationUrl,
    token_url: policy.tokenUrl,
    userinfo_url: policy.userinfoUrl,
    jwks_url: policy.jwksUrl,
    client_id: policy.clientId,
    client_secret_set: policy.clientSecret !== null,
    scope: policy.scope,
    allowed_domains: policy.allowedDomains,
    auto_provision: policy.autoProvision,
    redirect_uri: policy.redirectUri,
  }
}

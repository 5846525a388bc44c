import type { BrandingPolicy, InstancePolicy, SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import { objectOf } from '../declaration.ts'
import { instanceConfigSchema, type InstanceConfigObject } from './instance-config-schema.ts'
import { brandingUrls } from './branding-urls.ts'
import type { PendingRegistrationObject, RegistrationUrlObject } from './registration-objects.ts'

/** The parts of the configuration besides the policy. */
export interface InstanceFacts {
  readonly identityIsFixed: boolean
  readonly hosted: boolean
  readonly serviceName: string
  /** The base URL of images. */
  readonly publicUrl: string
  readonly canSendMail: boolean
  readonly registrations: ListedRegistrations
}

/** The registration URLs, and the registrations that wait for approval. */
export interface ListedRegistrations {
  readonly urls: readonly RegistrationUrlObject[]
  readonly pending: readonly PendingRegistrationObject[]
}

/**
 * The instance's configuration as operators see it, without secrets. Absent parts of the service have their empty form;
 * the mail server is set only by the operator's settings.
 */
export function instanceConfigObject(policy: InstancePolicy, facts: InstanceFacts): InstanceConfigObject {
  const { registration, accountIdentity, legal, setup } = policy
  return objectOf(instanceConfigSchema, {
    sso: ssoObject(policy.singleSignOn),
    gateway_rollout: {},
    push_relay: {},
    domain_migration: {},
    voice_p2p: {},
    captcha: {},
    experiment_delivery: {},
    registration: {
      mode: registration.mode,
      admin_registration_urls_enabled: registration.urlsEnabled,
      urls: facts.registrations.urls,
      pending_registrations: facts.registrations.pending,
    },
    self_hosted: !facts.hosted,
    account_identity: {
      mode: accountIdentity.signIn,
      locked: facts.identityIsFixed,
      tag_style: accountIdentity.tagStyle,
    },
    app_public: {
      branding: brandingObject(policy.branding, facts),
      setup: { configured: setup.configured },
      legal: { terms_url: legal.termsUrl, privacy_url: legal.privacyUrl, guidelines_url: legal.guidelinesUrl },
      registration: { collect_date_of_birth: registration.collectDateOfBirth },
    },
    policy: policyObject(policy),
    discovery: { enabled: policy.discovery.enabled, min_member_count: policy.discovery.minMemberCount },
    integrations: integrationsObject(policy, facts),
    media: { attachment_decay: { ...noDecay, effective: { ...noDecay, enabled: false } } },
  })
}

/** Attachments are not implemented, so none decays. */
const noDecay = {
  enabled: null,
  min_size_mb: null,
  max_size_mb: null,
  max_eligible_size_mb: null,
  min_lifetime_days: null,
  max_lifetime_days: null,
  curve: null,
  renew_threshold_days: null,
  renew_window_days: null,
} as const

function brandingObject(branding: BrandingPolicy, facts: InstanceFacts) {
  return {
    product_name: branding.productName ?? facts.serviceName,
    ...brandingUrls(facts, branding),
    theme_color: branding.themeColor,
    status_page_url: branding.statusPageUrl,
    status_page_incident_history_url: branding.statusPageIncidentHistoryUrl,
    premium_product_name: branding.premiumProductName ?? 'Premium',
    premium_info_url: branding.premiumInfoUrl,
  }
}

/** No third-party services are implemented: whatever the operator sets, none is available. */
function policyObject({ community, premium, services }: InstancePolicy) {
  return {
    single_community_enabled: community.singleCommunity,
    single_community_guild_id: community.guildId,
    direct_messages_disabled: community.directMessagesDisabled,
    direct_messages_locked: community.directMessagesLocked,
    guild_create_access: community.guildCreateAccess,
    premium_mode: premium.mode,
    services: { gif_enabled: services.gif, youtube_enabled: services.youtube, bluesky_enabled: services.bluesky },
    services_resolved: { gif_enabled: false, youtube_enabled: false, bluesky_enabled: false },
    services_available: { gif: false, youtube: false, bluesky: false },
  }
}

function integrationsObject({ ipAuthorization }: InstancePolicy, { canSendMail }: InstanceFacts) {
  return {
    gif: { klipy_api_key_set: false, effective_available: false },
    youtube: { api_key_set: false, effective_available: false },
    email: {
      enabled: null,
      effective_enabled: canSendMail,
      provider: null,
      effective_provider: canSendMail ? ('smtp' as const) : ('none' as const),
      from_email: null,
      from_name: null,
      smtp: { host: null, port: null, username: null, password_set: false, secure: null },
      disable_new_ip_authorization: !ipAuthorization,
      effective_disable_new_ip_authorization: !(ipAuthorization && canSendMail),
    },
    bluesky: {
      enabled: null,
      effective_enabled: false,
      client_name: null,
      client_uri: null,
      logo_uri: null,
      tos_uri: null,
      policy_uri: null,
      key_count: 0,
    },
  }
}

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

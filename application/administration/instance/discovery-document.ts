import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import type { LimitConfig, LimitDefaults } from '../../../domain/limits/limit-config.ts'
import type { Instance, Ports } from '../../ports.ts'
import { signOnStatusObject } from '../../identity/single-sign-on/sign-on-policy.ts'
import { brandingUrls } from '../../wire-objects/administration/branding-urls.ts'
import { publishedLimits } from './published-limits.ts'

const apiCodeVersion = 1

/** What a client must know about the instance first. Absent parts of the service are in their empty form. */
export function getDiscoveryDocument({
  instance,
  instancePolicies,
  limits,
}: Pick<Ports, 'instance' | 'instancePolicies' | 'limits'>) {
  return async () => {
    const [policy, config] = await Promise.all([instancePolicies.current(), limits.config()])
    return documentOf(instance, policy, { config, defaults: limits.defaults })
  }
}

/** What a client must know about the instance first. */
export type DiscoveryDocument = ReturnType<typeof documentOf>

function documentOf(
  instance: Instance,
  policy: InstancePolicy,
  limits: { readonly config: LimitConfig; readonly defaults: LimitDefaults },
) {
  const { accountIdentity, community, registration } = policy
  return {
    api_code_version: apiCodeVersion,
    endpoints: endpointsOf(instance),
    captcha: { provider: 'none', hcaptcha_site_key: null, turnstile_site_key: null },
    features: {
      voice_enabled: false,
      stripe_enabled: false,
      self_hosted: !instance.hosted,
      presigned_attachment_uploads: true,
      emails_enabled: false,
    },
    gif: { provider: '', display_name: '', attribution_required: false },
    sso: signOnStatusObject(policy.singleSignOn, instance),
    registration: { mode: registration.mode, admin_registration_urls_enabled: registration.urlsEnabled },
    community: {
      single_community: community.singleCommunity,
      single_community_guild_id: community.singleCommunity ? community.guildId : null,
      direct_messages_disabled: community.directMessagesDisabled,
    },
    services: { gif_enabled: false, youtube_enabled: false, bluesky_enabled: false },
    limits: publishedLimits(limits.config, limits.defaults),
    push: { public_vapid_key: null },
    account_identity: { mode: accountIdentity.signIn, tag_style: accountIdentity.tagStyle },
    app_public: publicFaceOf(instance, policy),
  } as const
}

/** Absolute URLs. People are sent to the web app, everything else is at the base URL. */
function endpointsOf(instance: Instance) {
  const { publicUrl, webappUrl } = instance
  return {
    api: publicUrl,
    api_client: publicUrl,
    api_public: publicUrl,
    gateway: instance.gatewayUrl,
    media: `${publicUrl}/media`,
    static_cdn: publicUrl,
    marketing: publicUrl,
    admin: publicUrl,
    invite: `${webappUrl}/invite`,
    gift: `${webappUrl}/gift`,
    webapp: webappUrl,
  }
}

function publicFaceOf(instance: Instance, { branding, setup, legal, registration }: InstancePolicy) {
  return {
    branding: {
      product_name: branding.productName ?? instance.serviceName,
      ...brandingUrls(instance, branding),
      theme_color: branding.themeColor,
    },
    setup: { configured: setup.configured, admin_url: null },
    legal: { terms_url: legal.termsUrl, privacy_url: legal.privacyUrl },
    // When collection is off, a date of birth may still be given: age-restricted channels need it.
    registration: { collect_date_of_birth: registration.collectDateOfBirth },
  }
}

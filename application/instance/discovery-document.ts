import type { Instance, Ports } from '../ports.js'
import { publishedLimits } from './published-limits.js'

const apiCodeVersion = 1

/**
 * What a client needs to know of the instance before anything else (reference identity 2.10). Parts of the service that are
 * not there have their empty form.
 */
export function discoveryDocument({ instance }: Pick<Ports, 'instance'>) {
  return () => documentOf(instance)
}

function documentOf(instance: Instance) {
  return {
    api_code_version: apiCodeVersion,
    endpoints: endpointsOf(instance),
    captcha: { provider: 'none', hcaptcha_site_key: null, turnstile_site_key: null },
    features: {
      voice_enabled: false,
      stripe_enabled: false,
      self_hosted: !instance.hosted,
      presigned_attachment_uploads: false,
      emails_enabled: false,
    },
    gif: { provider: '', display_name: '', attribution_required: false },
    sso: {
      enabled: false,
      enforced: false,
      display_name: null,
      redirect_uri: `${instance.publicUrl}/auth/sso/callback`,
    },
    registration: { mode: 'open', admin_registration_urls_enabled: false },
    community: { single_community: false, single_community_guild_id: null, direct_messages_disabled: false },
    services: { gif_enabled: false, youtube_enabled: false, bluesky_enabled: false },
    limits: publishedLimits,
    push: { public_vapid_key: null },
    account_identity: { mode: 'email', tag_style: 'discriminator' },
    app_public: publicFaceOf(instance),
  } as const
}

/** Absolute URLs. What this server does not serve itself begins where everything else does. */
function endpointsOf(instance: Instance) {
  const { publicUrl } = instance
  return {
    api: publicUrl,
    api_client: publicUrl,
    api_public: publicUrl,
    gateway: instance.gatewayUrl,
    media: `${publicUrl}/media`,
    static_cdn: publicUrl,
    marketing: publicUrl,
    admin: publicUrl,
    invite: `${publicUrl}/invite`,
    gift: `${publicUrl}/gift`,
    webapp: publicUrl,
  }
}

function publicFaceOf({ serviceName }: Instance) {
  return {
    branding: {
      product_name: serviceName,
      icon_url: null,
      symbol_url: null,
      logo_url: null,
      wordmark_url: null,
      favicon_url: null,
      theme_color: null,
    },
    setup: { configured: true, admin_url: null },
    legal: { terms_url: null, privacy_url: null },
    // A date of birth may be given, and is needed for age-restricted channels; nobody is made to give one.
    registration: { collect_date_of_birth: false },
  }
}

import { z } from 'zod'
import { snowflakeOutput } from '../../outputs.ts'
import { pendingRegistration, registrationUrl } from './registrations.ts'

const nullableText = z.string().nullable()
const nullableFlag = z.boolean().nullable()
/** A part of the service that this instance does not have. */
const absent = z.object({})

const sso = z.object({
  enabled: z.boolean(),
  enforced: z.boolean(),
  display_name: nullableText,
  issuer: nullableText,
  authorization_url: nullableText,
  token_url: nullableText,
  userinfo_url: nullableText,
  jwks_url: nullableText,
  client_id: nullableText,
  client_secret_set: z.boolean(),
  scope: nullableText,
  allowed_domains: z.array(z.string()).readonly(),
  auto_provision: z.boolean(),
  redirect_uri: nullableText,
})

const branding = z.object({
  product_name: z.string(),
  icon_url: nullableText,
  symbol_url: nullableText,
  logo_url: nullableText,
  wordmark_url: nullableText,
  favicon_url: nullableText,
  theme_color: nullableText,
  status_page_url: nullableText,
  status_page_incident_history_url: nullableText,
  premium_product_name: z.string(),
  premium_info_url: nullableText,
})

const services = z.object({ gif_enabled: nullableFlag, youtube_enabled: nullableFlag, bluesky_enabled: nullableFlag })

const policy = z.object({
  single_community_enabled: z.boolean(),
  single_community_guild_id: snowflakeOutput.nullable(),
  direct_messages_disabled: z.boolean(),
  direct_messages_locked: z.boolean(),
  guild_create_access: z.boolean(),
  premium_mode: z.enum(['mirror', 'everyone']),
  services,
  services_resolved: z.object({
    gif_enabled: z.boolean(),
    youtube_enabled: z.boolean(),
    bluesky_enabled: z.boolean(),
  }),
  services_available: z.object({ gif: z.boolean(), youtube: z.boolean(), bluesky: z.boolean() }),
})

const email = z.object({
  enabled: nullableFlag,
  effective_enabled: z.boolean(),
  provider: z.enum(['smtp', 'none']).nullable(),
  effective_provider: z.enum(['smtp', 'none']),
  from_email: nullableText,
  from_name: nullableText,
  smtp: z.object({
    host: nullableText,
    port: z.int().nullable(),
    username: nullableText,
    password_set: z.boolean(),
    secure: nullableFlag,
  }),
  disable_new_ip_authorization: z.boolean(),
  effective_disable_new_ip_authorization: z.boolean(),
})

const bluesky = z.object({
  enabled: nullableFlag,
  effective_enabled: z.boolean(),
  client_name: nullableText,
  client_uri: nullableText,
  logo_uri: nullableText,
  tos_uri: nullableText,
  policy_uri: nullableText,
  key_count: z.int(),
})

const decay = z.object({
  enabled: nullableFlag,
  min_size_mb: z.number().nullable(),
  max_size_mb: z.number().nullable(),
  max_eligible_size_mb: z.number().nullable(),
  min_lifetime_days: z.number().nullable(),
  max_lifetime_days: z.number().nullable(),
  curve: z.number().nullable(),
  renew_threshold_days: z.number().nullable(),
  renew_window_days: z.number().nullable(),
})

/** The configuration of an instance. It holds no secret. */
export const instanceConfig = z
  .object({
    sso,
    gateway_rollout: absent,
    push_relay: absent,
    domain_migration: absent,
    voice_p2p: absent,
    captcha: absent,
    experiment_delivery: absent,
    registration: z.object({
      mode: z.enum(['open', 'approval', 'closed']),
      admin_registration_urls_enabled: z.boolean(),
      urls: z.array(registrationUrl).readonly(),
      pending_registrations: z.array(pendingRegistration).readonly(),
    }),
    self_hosted: z.boolean(),
    account_identity: z.object({
      mode: z.enum(['email', 'username']),
      locked: z.boolean(),
      tag_style: z.enum(['discriminator', 'none']),
    }),
    app_public: z.object({
      branding,
      setup: z.object({ configured: z.boolean() }),
      legal: z.object({ terms_url: nullableText, privacy_url: nullableText, guidelines_url: nullableText }),
      registration: z.object({ collect_date_of_birth: z.boolean() }),
    }),
    policy,
    discovery: z.object({ enabled: z.boolean(), min_member_count: z.int() }),
    integrations: z.object({
      gif: z.object({ klipy_api_key_set: z.boolean(), effective_available: z.boolean() }),
      youtube: z.object({ api_key_set: z.boolean(), effective_available: z.boolean() }),
      email,
      bluesky,
    }),
    media: z.object({ attachment_decay: decay.extend({ effective: decay }) }),
  })
  .meta({ id: 'InstanceConfig' })

/** The result of testing a mail server. */
export const mailServerTestResult = z.object({ ok: z.boolean(), error: z.string().optional() })
